#!/usr/bin/python3
"""Golden numbers for the scorer classes: scorers_mahalanobis.inc, scorers_shrunk.inc and
scorers_isolation.inc.

Data come from Philox words with +, -, *, / alone, so that the C tests make the same tables from core/rng.h to the
bit. scikit-learn 1.2.1, numpy 1.24.2."""
import os

import numpy as np
from sklearn.covariance import EmpiricalCovariance, LedoitWolf
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

here = os.path.dirname(os.path.abspath(__file__))
STREAM = 78


def uniforms(seed, count):
    words = np.random.Philox(key=[seed, STREAM], counter=[0, 0, 0, 0]).random_raw(count)
    return ((words >> np.uint64(11)).astype(float) + .5) * 2.0 ** -53


def bells(seed, rows, dim):
    """Sums of four uniforms minus 2: roughly normal, sd 0.577."""
    u = uniforms(seed, rows * dim * 4).reshape(-1, 4)
    return ((((u[:, 0] - 2) + u[:, 1]) + u[:, 2]) + u[:, 3]).reshape(rows, dim)


def mixed(seed, rows):
    """Five correlated columns on different scales."""
    e = bells(seed, rows, 5)
    x = np.empty_like(e)
    x[:, 0] = e[:, 0]
    x[:, 1] = 10 + 3 * e[:, 1] + 2 * e[:, 0]
    x[:, 2] = e[:, 2] - e[:, 0] * .5
    x[:, 3] = 1000 * e[:, 3] + 500 * e[:, 2]
    x[:, 4] = .001 * e[:, 4]
    return x


# Normal rows, and rows that are not: (train, test normal, test abnormal).
def shell(seed):
    x = bells(seed, 1400, 4)
    return x[:1000], x[1000:1300], 1.7 * x[1300:]


def clusters(seed):
    x = bells(seed, 1400, 2)
    group = np.arange(1400) % 3
    normal = x * .5 + np.stack([group * 2.0, (group == 1) * 2.0], axis=1)
    normal[1300:] = x[1300:] * 2 + np.array([2.0, .5])
    return normal[:1000], normal[1000:1300], normal[1300:]


def shifted(seed):
    x = bells(seed, 1400, 12)
    x[1300:, :3] += 1.0
    return x[:1000], x[1000:1300], x[1300:]


def write(name, text):
    with open(os.path.join(here, name), 'w') as out:
        out.write('/* Made by make_scorers.py: scikit-learn 1.2.1. */\n' + text)


def main():
    model = EmpiricalCovariance().fit(mixed(1, 200))
    distances = model.mahalanobis(mixed(2, 25))
    write('scorers_mahalanobis.inc', ''.join('%.17g,\n' % d for d in distances))

    few, rows = mixed(1, 15), mixed(2, 25)  # in standard units, where the target is the identity
    mean, sd = few.mean(0), few.std(0)
    shrunk = LedoitWolf(assume_centered=True).fit((few - mean) / sd)
    distances = shrunk.mahalanobis((rows - mean) / sd)
    write('scorers_shrunk.inc', ''.join('%.17g,\n' % d for d in [shrunk.shrinkage_, *distances]))

    lines = ''
    for table, seed in ((shell, 3), (clusters, 4), (shifted, 5)):
        train, normal, abnormal = table(seed)
        test = np.vstack([normal, abnormal])
        labels = np.repeat([0, 1], [len(normal), len(abnormal)])
        aucs = [roc_auc_score(labels, -IsolationForest(n_estimators=100, random_state=k).fit(train).score_samples(test))
                for k in range(40)]
        lines += '{"%s", %d, %.6f, %.6f},\n' % (table.__name__, seed, np.mean(aucs), np.std(aucs, ddof=1))
    write('scorers_isolation.inc', '/* table, seed, mean and sd of the AUC over 40 forests of 100 trees */\n' + lines)


if __name__ == '__main__':
    main()
