"""What the tests of `anorank serve` share: a model, a service on a free port, and clients that do not behave."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ANORANK = os.environ["ANORANK"]
SANITIZED = bool(os.environ.get("SANITIZE"))
FOLDER = tempfile.mkdtemp(prefix="anorank-serve-")


def run(*words, data=None):
    """The standard output of a command, which must succeed."""
    return subprocess.run([ANORANK, *words], input=data, stdout=subprocess.PIPE, check=True, cwd=FOLDER).stdout


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def make_models():
    """rows.csv: ids, numbers, categories, gaps; m.anr and other.anr, two models of it that score differently."""
    with open(os.path.join(FOLDER, "rows.csv"), "w") as out:
        out.write("id,amount,kind,age\n")
        for i in range(400):
            amount = 10 + (i * 37 % 101) / 7 + (900 if i == 77 else 0)
            out.write("=T%d,%.17g,%s,%s\n" % (i, amount, "xyz"[i % 3], "" if i % 11 == 0 else i * 13 % 29))
    run("fit", os.path.join(FOLDER, "rows.csv"), "-o", "m.anr", "-q", "--id", "id", "--scorer", "neighbours")
    run("fit", os.path.join(FOLDER, "rows.csv"), "-o", "other.anr", "-q", "--id", "id", "--scorer", "mahalanobis")


class Service:
    """A running service; a `with` block ends it and holds it to a clean end."""

    def __init__(self, *options, models=("m.anr",), environment=None, before=None, log="requests"):
        words = [ANORANK, "serve", *models, "--listen", "127.0.0.1:0", "--log", log, *options]  # later options win
        self.log = open(os.path.join(FOLDER, "log"), "w+b")
        self.process = subprocess.Popen(words, cwd=FOLDER, stderr=self.log, preexec_fn=before,
                                        env=dict(os.environ, **(environment or {})))
        self.port = None
        for _ in range(600):
            for line in self.lines():
                if line.get("event") == "listening":
                    self.port = int(line["address"].rsplit(":", 1)[1])
            if self.port or self.process.poll() is not None:
                break
            time.sleep(0.05)
        if not self.port:
            self.process.kill()
            raise AssertionError("the service did not start: " + self.text())

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        code = self.stop()
        if kind is None and code != 0:
            raise AssertionError("the service ended with %s: %s" % (code, self.text()[-3000:]))

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the service does not end")
        self.log.close()
        return code

    def text(self):
        with open(os.path.join(FOLDER, "log"), "rb") as log:
            return log.read().decode("utf-8", "replace")

    def lines(self):
        found = []
        for line in self.text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return found

    def answered(self, status):
        """How many requests the log has with this status; a line comes a moment after its answer."""
        return sum(line.get("status") == status for line in self.lines())

    def memory(self):
        """Resident bytes."""
        with open("/proc/%d/statm" % self.process.pid) as about:
            return int(about.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def client(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, body=None, headers=None, method=None, timeout=60):
        """Status, headers and body of an answer, over a new connection."""
        link = self.client(timeout)
        try:
            link.request(method or ("GET" if body is None else "POST"), path, body, headers or {})
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def raw(self, data, timeout=20, to_end=False):
        """The answer to these bytes, or all that comes until the connection ends; b"" for none."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as link:
            try:
                link.sendall(data)
            except OSError:
                pass
            got = b""
            try:
                while True:
                    more = link.recv(65536)
                    if not more:
                        return got
                    got += more
                    if not to_end and b"\r\n\r\n" in got and complete(got):
                        return got
            except OSError:
                return got

    def counted(self, name):
        """The sum of a metric over its labels."""
        total = 0.0
        for line in self.ask("/metrics")[2].decode().splitlines():
            if line.startswith(name + "{") or line.startswith(name + " "):
                total += float(line.rsplit(" ", 1)[1])
        return total


def wait_until(true, seconds=30):
    """Until it is so, or the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def complete(got):
    head, _, body = got.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return False


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def read(name):
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


def main():
    out = subprocess.run([ANORANK, "serve", "no-such-model"], stderr=subprocess.PIPE)
    if b"built without 'serve'" in out.stderr:
        skip("this build has no 'anorank serve': libmicrohttpd was not found")
    try:
        make_models()
        unittest.main(verbosity=2, warnings="ignore")
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
