"""From the start to the end: who may ask, models that change, signals, supervisors."""
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

import served
from served import ANORANK, FOLDER, Service, read, run, status_of, wait_until

TOKEN = "0123456789abcdef-first"
SECOND = "fedcba9876543210-second"
ROWS = b"id,amount,kind,age\n1,12,x,3\n2,13,y,4\n"


def write(name, text):
    with open(os.path.join(FOLDER, name), "wb") as out:
        out.write(text)


def put(source, name):
    """The file takes its name whole, as `anorank fit` does it."""
    shutil.copy(os.path.join(FOLDER, source), os.path.join(FOLDER, name + ".new"))
    os.rename(os.path.join(FOLDER, name + ".new"), os.path.join(FOLDER, name))


def bearer(token):
    return {"Authorization": "Bearer " + token}


class Tokens(unittest.TestCase):
    def setUp(self):
        write("tokens", ("# two of them\n\n%s\n  %s \r\n" % (TOKEN, SECOND)).encode())

    def test_only_tokens_of_the_file_let_in(self):
        with Service("--token-file", "tokens") as service:
            for path in ("/v1/models", "/metrics", "/v1/models/m", "/v1/models/none/score", "/nothing"):
                for headers in ({}, bearer("wrong"), bearer(TOKEN[:-1]), bearer(TOKEN + "x"), bearer(""), {"Authorization": TOKEN},
                                {"Authorization": "Basic " + TOKEN}):
                    status, told, body = service.ask(path, headers=headers)
                    self.assertEqual((status, told["WWW-Authenticate"]), (401, "Bearer"), (path, headers))
                    self.assertIn(b'"request-token"', body)
            for token in (TOKEN, SECOND):
                self.assertEqual(service.ask("/v1/models", headers=bearer(token))[0], 200)
                self.assertEqual(service.ask("/v1/models/m/score", ROWS, bearer(token))[0], 200)
            self.assertIn(b'"request-model"', service.ask("/v1/models/none", headers=bearer(TOKEN))[2])
            for path in ("/", "/healthz", "/readyz", "/openapi.json"):
                self.assertEqual(service.ask(path)[0], 200)
            # with a token, the name that the client used does not matter
            asked = b"GET /v1/models HTTP/1.1\r\nHost: scores.example\r\nAuthorization: bearer %s\r\n\r\n" % TOKEN.encode()
            self.assertEqual(status_of(service.raw(asked)), 200)

    def test_a_body_is_not_read_before_its_token(self):
        with Service("--token-file", "tokens") as service:
            head = b"POST /v1/models/m/score HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
            self.assertEqual(status_of(service.raw(head)), 401)

    def test_the_time_of_a_refusal_does_not_tell_how_much_of_a_token_was_right(self):
        with Service("--token-file", "tokens", log="events") as service:
            link = service.client()

            def seconds(token):
                start = time.perf_counter()
                link.request("GET", "/v1/models", headers=bearer(token))
                link.getresponse().read()
                return time.perf_counter() - start

            right, wrong = [], []
            for _ in range(400):  # by turns, so that whatever else the machine does falls on both
                right.append(seconds(TOKEN[:-1] + "?"))
                wrong.append(seconds("?" * len(TOKEN)))
            slower = sum((a > b) + (a == b) / 2 for a in right for b in wrong) / len(right) / len(wrong)
            print("(nearly right is slower than all wrong in %.0f %% of pairs)" % (100 * slower))
            self.assertLess(abs(slower - 0.5), 0.15)  # seven standard errors

    def test_tokens_are_read_again_on_sighup_and_a_bad_file_changes_nothing(self):
        with Service("--token-file", "tokens") as service:
            write("tokens", b"short\n")
            service.process.send_signal(signal.SIGHUP)
            self.assertTrue(wait_until(lambda: any(line["event"] == "tokens refused" for line in service.lines())))
            self.assertEqual(service.ask("/v1/models", headers=bearer(TOKEN))[0], 200)
            write("tokens", b"another-token-that-is-new\n")
            service.process.send_signal(signal.SIGHUP)
            self.assertTrue(wait_until(lambda: service.ask("/v1/models", headers=bearer("another-token-that-is-new"))[0] == 200))
            self.assertEqual(service.ask("/v1/models", headers=bearer(TOKEN))[0], 401)

    def test_other_machines_need_a_token_or_a_word(self):
        out = subprocess.run([ANORANK, "serve", "m.anr", "--listen", "0.0.0.0:0", "-v"], cwd=FOLDER, stderr=subprocess.PIPE)
        self.assertEqual(out.returncode, 2)
        self.assertIn(b"[serve-needs-token]", out.stderr)
        for words in (["--insecure"], ["--token-file", "tokens"]):
            with Service(*words, "--listen", "0.0.0.0:0"):
                pass


class Models(unittest.TestCase):
    def tearDown(self):
        for name in ("live.anr",):
            if os.path.exists(os.path.join(FOLDER, name)):
                os.remove(os.path.join(FOLDER, name))

    def test_a_new_file_answers_and_a_broken_one_leaves_the_old(self):
        put("m.anr", "live.anr")
        wanted = {name: run("score", name, "rows.csv", "-q") for name in ("m.anr", "other.anr")}
        with Service(models=("live.anr",)) as service:
            ask = lambda: service.ask("/v1/models/live/score", read("rows.csv"))[2]
            self.assertEqual(ask(), wanted["m.anr"])
            put("other.anr", "live.anr")
            self.assertTrue(wait_until(lambda: ask() == wanted["other.anr"]))
            flipped = bytearray(read("m.anr"))
            flipped[3000] ^= 1
            for broken in (b"", b"no model", read("m.anr")[:-1], bytes(flipped)):
                failures = service.counted("anorank_model_reloads_total")
                write("live.anr", broken)
                self.assertTrue(wait_until(lambda: service.counted("anorank_model_reloads_total") > failures))
                self.assertEqual(ask(), wanted["other.anr"])
                told = json.loads(service.ask("/v1/models/live")[2])
                self.assertTrue(told["reload_error"].startswith("live"), told["reload_error"])
                self.assertNotIn(FOLDER, told["reload_error"])
            os.remove(os.path.join(FOLDER, "live.anr"))
            self.assertTrue(wait_until(lambda: b"cannot read the model: No such file" in service.ask("/v1/models/live")[2]))
            self.assertEqual(ask(), wanted["other.anr"])
            put("m.anr", "live.anr")
            self.assertTrue(wait_until(lambda: ask() == wanted["m.anr"]))
            self.assertIsNone(json.loads(service.ask("/v1/models/live")[2])["reload_error"])

    def test_sighup_loads_at_once(self):
        put("m.anr", "live.anr")
        with Service(models=("live.anr",)) as service:
            service.process.send_signal(signal.SIGHUP)
            self.assertTrue(wait_until(lambda: service.counted("anorank_model_reloads_total") == 1))

    def test_a_model_replaced_100_times_under_load_gives_no_wrong_and_no_lost_answer(self):
        put("m.anr", "live.anr")
        wanted = {}
        for name in ("m.anr", "other.anr"):
            digest = subprocess.run(["sha256sum", name], cwd=FOLDER, stdout=subprocess.PIPE).stdout.split()[0].decode()
            wanted[digest] = run("score", name, "rows.csv", "-q")
        body, stop, seen, wrong = read("rows.csv"), threading.Event(), set(), []

        def ask(service):
            link = service.client()
            while not stop.is_set():
                try:
                    link.request("POST", "/v1/models/live/score", body)
                    answer = link.getresponse()
                    got, digest = answer.read(), answer.headers["Anorank-Model"]
                    seen.add(digest)
                    if answer.status != 200 or got != wanted[digest]:
                        wrong.append((answer.status, digest, got[:200]))
                except Exception as error:
                    wrong.append(repr(error))
                    link = service.client()

        with Service(models=("live.anr",), log="errors") as service:
            threads = [threading.Thread(target=ask, args=(service,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for i in range(100):
                put(("other.anr", "m.anr")[i % 2], "live.anr")
                service.process.send_signal(signal.SIGHUP)
                time.sleep(0.03)
            served.wait_until(lambda: len(seen) == 2)
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong[:3], [])
            self.assertEqual(seen, set(wanted))
            self.assertGreaterEqual(service.counted("anorank_model_reloads_total"), 2)


class Ends(unittest.TestCase):
    def test_a_request_under_way_is_answered_after_sigterm_and_no_new_one_is(self):
        with Service() as service:
            link = socket.create_connection(("127.0.0.1", service.port))
            link.sendall(b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(ROWS) + ROWS[:20])
            self.assertTrue(wait_until(lambda: service.counted("anorank_connections") >= 1))
            time.sleep(0.3)  # the head must have been read
            service.process.send_signal(signal.SIGTERM)
            self.assertTrue(wait_until(lambda: any(line["event"] == "ending" for line in service.lines())))

            def refused():
                try:
                    socket.create_connection(("127.0.0.1", service.port), 5).close()
                    return False
                except OSError:
                    return True

            self.assertTrue(wait_until(refused))
            link.sendall(ROWS[20:])
            answer = link.recv(65536)
            self.assertEqual(status_of(answer), 200)
            self.assertIn(b"Connection: close", answer)
            self.assertEqual(service.process.wait(30), 0)

    def test_readiness_ends_before_health(self):
        with Service() as service:
            link, held = service.client(), socket.create_connection(("127.0.0.1", service.port))
            held.sendall(b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
            link.request("GET", "/readyz")
            self.assertEqual(link.getresponse().read(), b"ok\n")
            time.sleep(0.3)
            service.process.send_signal(signal.SIGTERM)
            self.assertTrue(wait_until(lambda: any(line["event"] == "ending" for line in service.lines())))
            link.request("GET", "/readyz")
            answer = link.getresponse()
            self.assertEqual(answer.status, 503)
            self.assertEqual(json.loads(answer.read())["code"], "serve-ending")
            held.close()

    def test_a_request_over_a_kept_connection_is_refused_with_an_answer_while_draining(self):
        with Service() as service:
            held = socket.create_connection(("127.0.0.1", service.port))
            held.sendall(b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
            links = [service.client() for _ in range(3)]
            for link in links:
                link.request("GET", "/healthz")
                self.assertEqual(link.getresponse().read(), b"ok\n")
            service.process.send_signal(signal.SIGTERM)
            self.assertTrue(wait_until(lambda: any(line["event"] == "ending" for line in service.lines())))
            for link, path in zip(links, ("score", "rank", "score?keep=id")):
                link.request("POST", "/v1/models/m/" + path, ROWS)
                answer = link.getresponse()
                self.assertEqual((answer.status, answer.headers["Connection"]), (503, "close"))
                self.assertEqual(json.loads(answer.read())["code"], "serve-ending")
            held.close()

    def test_requests_that_outlive_the_drain_time_are_answered(self):
        header, rows = read("rows.csv").split(b"\n", 1)
        with Service("--drain-seconds", "1", "--threads", "2") as service:
            found, body = [], header + b"\n" + rows * 250  # minutes, with reasons for most of them
            working = threading.Thread(target=lambda: found.append(service.ask("/v1/models/m/rank?mass=0.9&reasons=10", body)))
            working.start()
            sending = socket.create_connection(("127.0.0.1", service.port), 30)
            sending.sendall(b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nid")
            idle = socket.create_connection(("127.0.0.1", service.port), 30)
            self.assertTrue(wait_until(lambda: service.counted("anorank_connections") >= 4))
            time.sleep(1)  # the body must have come
            start = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            answer = sending.recv(65536)
            self.assertEqual(status_of(answer), 503, answer)
            self.assertIn(b"Connection: close", answer)
            self.assertIn(b"serve-ending", answer)
            self.assertEqual(sending.recv(100), b"")
            self.assertEqual(idle.recv(100), b"")
            working.join()
            self.assertEqual((found[0][0], json.loads(found[0][2])["code"]), (503, "serve-ending"))
            self.assertEqual(service.process.wait(30), 0)
            self.assertLess(time.monotonic() - start, 20)
            self.assertTrue(wait_until(lambda: service.answered(503) == 2), service.text())

    def test_a_client_that_never_ends_does_not_keep_it_alive(self):
        with Service("--drain-seconds", "1") as service:
            held = socket.create_connection(("127.0.0.1", service.port))
            held.sendall(b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n")
            time.sleep(0.3)
            start = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            self.assertEqual(service.process.wait(30), 0)
            self.assertLess(time.monotonic() - start, 20)

    def test_kill_9_and_a_restart_give_refused_connections_and_never_a_wrong_answer(self):
        wanted, port, wrong, stop, right = run("score", "m.anr", "rows.csv", "-q"), None, [], threading.Event(), []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]

        def ask():
            import http.client
            while not stop.is_set():
                try:
                    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                    link.request("POST", "/v1/models/m/score", read("rows.csv"))
                    answer = link.getresponse()
                    (right if (answer.status, answer.read()) == (200, wanted) else wrong).append(answer.status)
                except (OSError, http.client.HTTPException):
                    time.sleep(0.01)  # refused, reset or cut: the client knows that it has no answer

        thread = threading.Thread(target=ask)
        thread.start()
        for _ in range(5):
            service = Service("--listen", "127.0.0.1:%d" % port, log="errors")
            before = len(right)
            wait_until(lambda: len(right) > before + 3)
            self.assertEqual(service.stop(signal.SIGKILL), -signal.SIGKILL)
        stop.set()
        thread.join()
        self.assertEqual(wrong, [])
        self.assertGreater(len(right), 5)

    def test_a_socket_of_systemd_is_taken_and_it_is_told(self):
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        path = os.path.join(FOLDER, "notify")
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(path)
        notify.settimeout(60)

        script = 'exec 3<&%d; LISTEN_PID=$$ LISTEN_FDS=1 NOTIFY_SOCKET="%s" exec "%s" serve m.anr' % (listening.fileno(), path, ANORANK)
        process = subprocess.Popen(["sh", "-c", script], cwd=FOLDER, pass_fds=[listening.fileno()], stderr=subprocess.DEVNULL)
        self.assertEqual(notify.recv(100), b"READY=1")
        with socket.create_connection(listening.getsockname()) as link:
            link.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertEqual(status_of(link.recv(4096)), 200)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(notify.recv(100), b"STOPPING=1")
        self.assertEqual(process.wait(60), 0)
        notify.close()
        listening.close()


if __name__ == "__main__":
    served.main()
