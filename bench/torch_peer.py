#!/usr/bin/python3
"""The paper's Algorithm 1 as a plain PyTorch script: one network on the data of section 4, one row at a time, then one
full-batch step on BCE - lambda * proxy each epoch. Prints the seconds of training one network.

    torch_peer.py [EPOCHS [LAMBDA]]

With fewer than 30 epochs the time is scaled up to 30: every epoch costs the same."""
import sys
import time

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f'skipped: {missing}')
    sys.exit(77)

torch.set_num_threads(1)
torch.manual_seed(0)
epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 30
weight = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
n, m, d = 1000, 500, 2
rng = np.random.default_rng(0)
x = rng.normal(size=(n, d)) * np.sqrt(0.1)
direction = rng.normal(size=(m, d))
direction /= np.linalg.norm(direction, axis=1, keepdims=True)
u = direction * rng.beta(3, 1, size=(m, 1)) * (np.linalg.norm(x, axis=1).max() + 0.01)
rows = torch.tensor(np.r_[x, u], dtype=torch.float32)
labels = torch.tensor(np.r_[np.ones(n), np.zeros(m)], dtype=torch.float32)

network = torch.nn.Sequential(torch.nn.Linear(d, 2 * d), torch.nn.ReLU(), torch.nn.Linear(2 * d, 1), torch.nn.Sigmoid())
optimiser = torch.optim.SGD(network.parameters(), lr=0.01)
bce = torch.nn.BCELoss()

start = time.perf_counter()
for epoch in range(epochs):
    for i in torch.randperm(n + m):
        optimiser.zero_grad()
        bce(network(rows[i])[0], labels[i]).backward()
        optimiser.step()
    optimiser.zero_grad()
    scores = network(rows)[:, 0]
    proxy = (((n + m) * scores[:n] + 1) / (n + m + 1)).mean()
    (bce(scores, labels) - weight * proxy).backward()
    optimiser.step()
seconds = (time.perf_counter() - start) * 30 / epochs
print(f'{seconds:.3f}')
