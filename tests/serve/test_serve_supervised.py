"""Under a supervisor: the units of examples/serve as systemd judges them, sockets that it passes, and kill -9 under load while a
supervisor keeps the socket: clients wait, and none gets a wrong answer."""
import http.client
import os
import shutil
import signal
import socket
import subprocess
import threading
import unittest

import served
from served import ANORANK, FOLDER, read, run, wait_until

SOURCE = os.environ["SOURCE"]
KILLS = 10


class Supervisor:
    """Holds the socket and starts the service again whenever it ends, as systemd does with anorank-serve.socket."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(128)
        self.port = self.socket.getsockname()[1]
        self.process, self.starts, self.ending = None, 0, False
        self.thread = threading.Thread(target=self.keep)
        self.thread.start()

    def keep(self):
        # the shell takes the number of the process that the socket is for, and becomes it
        script = 'exec 3<&%d; LISTEN_PID=$$ LISTEN_FDS=1 exec "%s" serve m.anr --log errors' % (self.socket.fileno(), ANORANK)
        while not self.ending:
            self.process = subprocess.Popen(["sh", "-c", script], cwd=FOLDER, pass_fds=[self.socket.fileno()], stderr=subprocess.DEVNULL)
            self.starts += 1
            self.process.wait()

    def stop(self):
        self.ending = True
        self.process.send_signal(signal.SIGTERM)
        self.thread.join()
        self.socket.close()
        return self.process.returncode


class Supervised(unittest.TestCase):
    def test_kill_9_under_load_loses_the_answers_under_way_and_gives_no_wrong_one(self):
        wanted, body, stop = run("score", "m.anr", "rows.csv", "-q"), read("rows.csv"), threading.Event()
        right, wrong, refused, cut = [], [], [], []
        supervisor = Supervisor()

        def ask():
            while not stop.is_set():
                link = http.client.HTTPConnection("127.0.0.1", supervisor.port, timeout=60)
                try:
                    link.request("POST", "/v1/models/m/score", body)
                    answer = link.getresponse()
                    got = answer.read()
                    (right if (answer.status, got) == (200, wanted) else wrong).append((answer.status, got[:100]))
                except ConnectionRefusedError as error:
                    refused.append(error)
                except (OSError, http.client.HTTPException) as error:
                    cut.append(error)  # reset or cut short: the client knows that it has no answer
                finally:
                    link.close()

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for kill in range(KILLS):
            before = len(right)
            self.assertTrue(wait_until(lambda: len(right) > before + 5, 60), "no answers after %d kills" % kill)
            starts = supervisor.starts
            supervisor.process.kill()
            self.assertTrue(wait_until(lambda: supervisor.starts > starts))
        before = len(right)
        self.assertTrue(wait_until(lambda: len(right) > before + 5, 60))
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(supervisor.stop(), 0)
        print("(%d kills: %d right, %d cut, %d refused)" % (KILLS, len(right), len(cut), len(refused)))
        self.assertEqual(wrong, [])
        self.assertEqual(refused, [], "the socket was closed although the supervisor holds it")
        self.assertLessEqual(len(cut), 4 * KILLS)

    def test_systemd_finds_no_fault_with_the_units(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd is not installed")
        for ending in ("service", "socket"):
            with open(os.path.join(SOURCE, "examples", "serve", "anorank-serve." + ending)) as unit:
                text = unit.read().replace("/usr/local/bin/anorank", ANORANK)
            with open(os.path.join(FOLDER, "anorank-serve." + ending), "w") as out:
                out.write(text)
        path = os.path.join(FOLDER, "anorank-serve.service")
        told = subprocess.run(["systemd-analyze", "verify", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual([line for line in told.stdout.decode().splitlines() if "anorank" in line], [])
        # exposure in tenths: 0 none, 100 all
        told = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=12", "--no-pager", path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(told.returncode, 0, told.stdout.decode()[-300:])

    def test_systemd_socket_activate_starts_it_with_the_first_client(self):
        if not shutil.which("systemd-socket-activate"):
            self.skipTest("systemd is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen(["systemd-socket-activate", "-l", "127.0.0.1:%d" % port, ANORANK, "serve", "m.anr"],
                                   cwd=FOLDER, stderr=subprocess.DEVNULL)
        try:
            def answered():
                try:
                    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                    link.request("POST", "/v1/models/m/score", read("rows.csv"))
                    return link.getresponse().read()
                except OSError:
                    return None

            self.assertTrue(wait_until(lambda: answered() is not None, 60))
            self.assertEqual(answered(), run("score", "m.anr", "rows.csv", "-q"))
        finally:
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    served.main()
