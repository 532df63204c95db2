"""The peers of bench_serve.sh: scikit-learn's isolation forest behind FastAPI (`fast`) and behind Flask (`flat`), as a tutorial has it."""
import csv

import numpy as np
from sklearn.ensemble import IsolationForest

with open("train.csv") as file:
    table = [[float(cell) for cell in row.values()] for row in csv.DictReader(file)]
model = IsolationForest(random_state=0).fit(np.array(table))


def scores(rows):
    return [{"score": float(score)} for score in model.score_samples(np.array([list(row.values()) for row in rows]))]


try:
    from fastapi import FastAPI, Request

    fast = FastAPI()

    @fast.post("/score")
    async def score_fast(request: Request):
        return scores(await request.json())
except ImportError:
    pass

try:
    from flask import Flask, jsonify, request

    flat = Flask(__name__)

    @flat.post("/score")
    def score_flat():
        return jsonify(scores(request.get_json()))
except ImportError:
    pass
