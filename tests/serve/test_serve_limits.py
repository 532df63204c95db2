"""Limits: what is too large, too long or too much is refused with its status, and memory stays where it was."""
# labels: nothreads
import os
import socket
import threading
import time
import unittest

import served
from served import SANITIZED, Service, read, run, status_of

ROWS = b"id,amount,kind,age\n1,12,x,3\n2,13,y,4\n"
HEAD = b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\n"


def connect(service, timeout=30):
    return socket.create_connection(("127.0.0.1", service.port), timeout)


class Limits(unittest.TestCase):
    def answered(self, service):
        self.assertEqual(service.ask("/v1/models/m/score", ROWS)[0], 200)

    def test_a_gigabyte_is_refused_and_takes_no_memory(self):
        with Service("--max-body", "1M", log="events") as service:
            self.answered(service)
            before = service.memory()
            answer = service.raw(HEAD + b"Content-Length: 1073741824\r\n\r\n" + b"a" * 1000000)
            self.assertIn(status_of(answer), (413, 0))  # 0: it was refused while we still sent
            link = connect(service)
            link.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            chunk, sent = b"10000\r\n" + b"a" * 65536 + b"\r\n", 0
            try:
                while sent < 1 << 30:
                    link.sendall(chunk)
                    sent += 65536
            except OSError:
                pass
            self.assertLess(sent, 64 << 20, "an endless body is read on and on")
            link.close()
            answer = service.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 20 + b"0\r\n\r\n")
            self.assertEqual(status_of(answer), 413)
            self.assertIn(b'"request-body-size"', answer)
            self.answered(service)
            if not SANITIZED:
                self.assertLess(service.memory() - before, 16 << 20)

    def test_a_long_body_and_its_long_answer_take_disk_and_no_memory(self):
        """BODY_MB=1024 for a gigabyte; the answer has most of the bytes of the body, since identifiers come back."""
        size = int(os.environ.get("BODY_MB", "8" if SANITIZED else "96")) << 20
        lines = read("rows.csv").splitlines(True)
        block = b"".join(line.replace(b"=T", b"T" * 200, 1) for line in lines[1:])
        with open(os.path.join(served.FOLDER, "block.csv"), "wb") as out:
            out.write(lines[0] + block)
        wanted = [line.rsplit(b",", 3)[-2:] for line in run("score", "other.anr", "block.csv", "-q").splitlines()[1:]]
        times = size // len(block)
        with Service("--max-body", "4G", "--max-held", "8G", "--max-rows", "100000000", "--request-seconds", "3600",
                     models=("m=other.anr",), log="events") as service:
            self.answered(service)
            before, link, began = service.memory(), service.client(3600), time.monotonic()
            link.putrequest("POST", "/v1/models/m/score")
            link.putheader("Content-Length", str(len(lines[0]) + times * len(block)))
            link.endheaders()
            link.send(lines[0])
            for _ in range(times):
                link.send(block)
            sent = time.monotonic()
            answer = link.getresponse()
            self.assertEqual(answer.status, 200)
            first, rows, got = time.monotonic(), -1, 0  # a line for the names
            for line in answer:
                if rows >= 0 and line.rstrip(b"\n").rsplit(b",", 3)[-2:] != wanted[rows % len(wanted)]:
                    self.fail("row %d: %r" % (rows, line[-80:]))
                rows, got = rows + 1, got + len(line)
            with open("/proc/%d/status" % service.process.pid) as about:
                peak = [int(line.split()[1]) << 10 for line in about if line.startswith("VmHWM")][0]
            print("(%d MB in %.0f s; %d rows, answer begins after %.0f s more; %d MB out in %.0f s; memory at most %+d MB)" % (
                size >> 20, sent - began, rows, first - sent, got >> 20, time.monotonic() - first, (peak - before) >> 20))
            self.assertEqual(rows, times * len(wanted))
            if not SANITIZED:
                self.assertLess(peak - before, 48 << 20)

    def test_limits_are_told_with_their_status(self):
        body = read("rows.csv")
        with Service("--max-rows", "399", "--max-held", "64K", "--max-table", "1M", log="events") as service:
            for route in ("score", "rank"):
                status, _, told = service.ask("/v1/models/m/" + route, body)
                self.assertEqual(status, 413)
                self.assertIn(b'"request-row-count"', told)
            status, headers, told = service.ask("/v1/models/m/score", b"a" * 70000)
            self.assertEqual((status, headers["Retry-After"]), (503, "1"))
            self.assertIn(b'"serve-busy"', told)
            chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n11170\r\n" + b"a" * 70000 + b"\r\n0\r\n\r\n"
            answer = service.raw(chunked)
            self.assertEqual(status_of(answer), 503)
            self.assertIn(b'"serve-body-space"', answer)
            self.assertEqual(service.ask("/v1/models/m/score", body[:4000].rsplit(b"\n", 1)[0])[0], 200)
        with Service("--max-held", str(len(body) + 500), log="events") as service:
            status, _, told = service.ask("/v1/models/m/score", body)
            self.assertEqual(status, 503)
            self.assertIn(b'"serve-response-space"', told)

    def test_room_for_a_body_is_given_back_before_its_answer_is_read(self):
        lines = read("rows.csv").splitlines(True)
        block = b"".join(line.replace(b"=T", b"T" * 200, 1) for line in lines[1:])
        long, short = (lines[0] + block * times for times in ((8 << 20) // len(block), (1 << 20) // len(block)))
        held = 2 * len(long) + len(short)  # an answer has about the bytes of its body
        with Service("--max-held", str(held), "--max-rows", "1000000", models=("m=other.anr",), log="events") as service:
            link = socket.socket()
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.settimeout(60)
            link.connect(("127.0.0.1", service.port))
            link.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(long) + long)
            self.assertIn(b" 200 ", link.recv(64))  # and no more of it: the answer waits
            status, _, told = service.ask("/v1/models/m/score", long[:len(long) // 4].rsplit(b"\n", 1)[0])
            self.assertEqual((status, told[-200:] if status != 200 else b""), (200, b""))
            link.close()

    def test_work_that_takes_too_long_is_given_up_and_too_much_at_a_time_is_refused(self):
        header, rows = read("rows.csv").split(b"\n", 1)
        body = header + b"\n" + rows * 250  # 100,000 rows; reasons for a thousand of them
        with Service("--request-seconds", "1", "--max-waiting", "1", "--threads", "1", log="events") as service:
            found = []

            def ask():
                found.append(service.ask("/v1/models/m/rank?reasons=10", body))

            threads = [threading.Thread(target=ask) for _ in range(6)]
            for thread in threads:
                thread.start()
            self.answered(service)
            for thread in threads:
                thread.join()
            told = b"".join(answer for status, _, answer in found if status == 503)
            self.assertTrue(all(headers["Retry-After"] for status, headers, _ in found if status == 503))
            self.assertIn(b'"serve-busy"', told)
            self.assertIn(b'"request-timeout"', told)
            self.answered(service)

    def test_memory_does_not_grow_with_requests(self):
        requests = 1000 if SANITIZED else 10000
        with Service(log="events") as service:
            link = service.client()

            def many(count):
                for i in range(count):
                    body = (ROWS, b"broken", b"[]", b"{", read_rows)[i % 5]
                    link.request("POST", "/v1/models/m/" + ("rank" if i % 50 == 7 else "score"), body)
                    link.getresponse().read()

            read_rows = read("rows.csv")[:2000].rsplit(b"\n", 1)[0]
            many(requests // 4)
            before = service.memory()
            many(requests)
            grown = service.memory() - before
            print("(%d requests: %+d kB)" % (requests, grown >> 10))
            if not SANITIZED:
                self.assertLess(grown, 4 << 20)

if __name__ == "__main__":
    served.main()
