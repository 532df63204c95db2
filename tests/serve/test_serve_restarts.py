"""SIGTERM under keep-alive load: no abort, no sanitizer report, and an answer to every request that was accepted.

RESTARTS=1000 for the long version, SEED=N for another order of requests."""
import os
import random
import signal
import socket
import threading
import time
import unittest

import served
from served import Service, complete, read, status_of

RESTARTS = int(os.environ.get("RESTARTS", "20"))
SEED = int(os.environ.get("SEED", str(int(time.time()))))
TIMED, LOADING = 2, 6  # clients
CERTAIN = 0.5  # seconds after the signal within which an open connection must be answered
ROWS = b"id,amount,kind,age\n1,12,x,3\n2,13,y,4\n"


def post(path, body):
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (path, len(body), body)


def requests():
    lines = read("rows.csv").splitlines(True)
    long = lines[0] + b"".join(lines[1:]) * 4  # more than what is scored in the thread that reads it
    return [post(b"/v1/models/m/score", ROWS), post(b"/v1/models/m/score", long), post(b"/v1/models/m/rank", ROWS),
            post(b"/v1/models/m/rank?lowest=3", long), b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"]


class Client(threading.Thread):
    """Sends requests over connections that it keeps; `delay` after the signal it sends one for certain."""

    def __init__(self, restart, choice, delay=None):
        super().__init__()
        self.restart, self.choice, self.delay = restart, choice, delay
        self.answers, self.problems, self.late = [], [], 0

    def run(self):
        try:
            while True:
                with socket.create_connection(("127.0.0.1", self.restart.port), 60) as link:
                    opened = time.monotonic()
                    if self.delay is not None:
                        self.restart.ended.wait()
                        time.sleep(self.delay)
                    while self.ask(link, opened):
                        time.sleep(self.choice.choice((0, 0, 0, 0.001, 0.01, 0.1)) * self.choice.random())
                if self.restart.ended.is_set():
                    return
        except OSError as error:  # refused: the service no longer listens
            if not self.restart.ended.is_set():
                self.problems.append(repr(error))

    def ask(self, link, opened):
        """One request; is the connection still open?"""
        got, sent = b"", None
        try:
            link.sendall(self.choice.choice(self.restart.requests))
            sent = time.monotonic()
            while not (b"\r\n\r\n" in got and complete(got)):
                more = link.recv(65536)
                if not more:
                    break
                got += more
        except OSError:
            pass
        status, over = status_of(got), self.restart.over
        if status and complete(got):
            self.answers.append(status)
            if status not in (200, 503):
                self.problems.append(got[:300])
            if status == 503 and b"Connection: close" not in got:
                self.problems.append("503 keeps the connection")
        elif got or over is None or (sent and opened < over and sent < over + CERTAIN):
            self.problems.append("sent %s after the signal, got %r" % (over and sent and sent - over, got[:100]))
        else:
            self.late += 1
        return status != 0 and b"Connection: close" not in got


class Restart:
    def __init__(self, service, asked, choice):
        self.port, self.requests, self.ended, self.over = service.port, asked, threading.Event(), None
        delays = [choice.random() * 0.002 for _ in range(TIMED)] + [choice.random() * 0.1]
        if choice.random() < 0.5:  # the rest ends under timed requests alone
            delays += [None] * LOADING
        self.clients = [Client(self, random.Random(choice.random()), delay) for delay in delays]
        for client in self.clients:
            client.start()
        time.sleep(choice.random() * 0.3)
        self.over = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        self.ended.set()
        for client in self.clients:
            client.join()


class Restarts(unittest.TestCase):
    def test_every_accepted_request_is_answered(self):
        choice, asked = random.Random(SEED), requests()
        answered, refused, late, failed = 0, 0, 0, []
        for i in range(RESTARTS):
            service = Service("--threads", choice.choice("12"), "--drain-seconds", "10")
            restart = Restart(service, asked, choice)
            try:
                code = service.stop()
            except AssertionError as error:
                code = str(error)
            logged = [line for line in service.lines() if line["event"] == "request"]
            answers = [status for client in restart.clients for status in client.answers]
            problems = [problem for client in restart.clients for problem in client.problems]
            if code != 0:
                problems.append("ended with %s: %s" % (code, service.text()[-3000:]))
            problems += ["not sent: %r" % line for line in logged if not line["sent"]]
            if len(logged) != len(answers):
                problems.append("%d requests in the log, %d answers" % (len(logged), len(answers)))
            if "Sanitizer" in service.text():
                problems.append(service.text()[-6000:])
            answered += len(answers)
            refused += answers.count(503)
            late += sum(client.late for client in restart.clients)
            failed += [(i, problem) for problem in problems]
        print("(seed %d: %d restarts, %d requests answered, %d of them with 503; %d came to a closed connection)" %
              (SEED, RESTARTS, answered, refused, late))
        self.assertEqual(failed[:5], [], "%d problems" % len(failed))


if __name__ == "__main__":
    served.main()
