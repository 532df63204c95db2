"""A network that is not friendly: slow, endless, greedy and vanishing clients. Others are answered meanwhile, memory stays, and
the service is as before when they are gone."""
import http.client
import os
import resource
import socket
import struct
import time
import unittest

import served
from served import Service, read, wait_until

ROWS = b"id,amount,kind,age\n1,12,x,3\n2,13,y,4\n"
HEAD = b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\n"
SLOW = 300


def connect(service, timeout=30):
    return socket.create_connection(("127.0.0.1", service.port), timeout)


def closed(link):
    """Has the other side closed it?"""
    link.setblocking(False)
    try:
        return link.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Attack(unittest.TestCase):
    def answered(self, service):
        self.assertEqual(service.ask("/v1/models/m/score", ROWS)[0], 200)

    def test_300_slow_heads_and_bodies_while_others_are_answered(self):
        for start, drip in ((HEAD + b"X-a: ", b"a"), (HEAD + b"Content-Length: 100000\r\n\r\n", b"1,2,3,4\n"),
                            (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n")):
            with Service("--idle-seconds", "3", "--request-seconds", "3", log="events") as service:
                links = [connect(service) for _ in range(SLOW)]
                for link in links:
                    link.sendall(start)
                waits, unanswered, end = [], 0, time.monotonic() + 2
                while time.monotonic() < end:  # each is heard of now and then, so none is silent for long
                    for link in links:
                        try:
                            link.send(drip)
                        except OSError:
                            pass
                    began = time.monotonic()
                    try:
                        self.answered(service)
                    except http.client.RemoteDisconnected:  # libmicrohttpd rarely leaves a new connection unread until it is closed
                        unanswered += 1
                    else:
                        waits.append(time.monotonic() - began)
                print("(beside %d slow ones: %d answered, slowest in %.0f ms, %d not)"
                      % (SLOW, len(waits), 1e3 * max(waits), unanswered))
                self.assertLessEqual(unanswered, 1)

                def all_closed():
                    for link in links:
                        try:
                            link.setblocking(False)
                            link.send(drip)
                        except OSError:
                            pass
                    return service.counted("anorank_connections") <= 1

                self.assertTrue(wait_until(all_closed, 40), "slow clients keep their connections")
                for link in links:
                    link.close()
                self.answered(service)

    def test_a_client_that_does_not_read_its_answers_is_closed(self):
        asked = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000  # more to answer than sockets hold
        with Service("--request-seconds", "3", log="events") as service:
            links = []
            for _ in range(20):
                link = socket.socket()
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                link.connect(("127.0.0.1", service.port))
                link.sendall(asked)
                links.append(link)
            self.answered(service)
            self.assertTrue(wait_until(lambda: service.counted("anorank_slow_clients_total") >= 20, 50))
            self.assertTrue(wait_until(lambda: service.counted("anorank_connections") <= 1))
            for link in links:
                link.close()

    def test_clients_that_vanish_leave_nothing_behind(self):
        header, rows = read("rows.csv").split(b"\n", 1)
        body = header + b"\n" + rows * 30
        with Service(log="events") as service:
            for part in (1.0, 0.5):
                for path in (b"/score", b"/rank"):
                    for _ in range(8):
                        link = connect(service)
                        sent = body[: int(len(body) * part)]
                        link.sendall(HEAD.replace(b"/score", path) + b"Content-Length: %d\r\n\r\n" % len(body) + sent)
                        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
                        link.close()
            long = header + b"\n" + rows.replace(b"=T", b"T" * 2000) * 8  # identifiers come back: 6 MB, more than sockets hold
            for _ in range(8):  # in the middle of an answer
                link = socket.socket()
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                link.settimeout(60)
                link.connect(("127.0.0.1", service.port))
                link.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(long) + long)
                self.assertTrue(link.recv(1000).startswith(b"HTTP/1.1 200"))
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                link.close()
            self.assertTrue(wait_until(lambda: service.counted("anorank_connections") <= 1, 50))
            self.answered(service)
            files = os.listdir("/proc/%d/fd" % service.process.pid)
            self.assertLess(len(files), 40, "files of requests that are gone are still open")

    def test_more_connections_than_descriptors(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        with Service("--idle-seconds", "3", before=few, log="events") as service:
            links = []
            for _ in range(150):
                link = connect(service, 5)
                links.append(link)
            time.sleep(0.5)
            for link in links:
                link.close()

            def fine():
                try:
                    return service.ask("/v1/models/m/score", ROWS, timeout=5)[0] == 200
                except OSError:
                    return False

            self.assertTrue(wait_until(fine), "the service does not come back")
            self.assertTrue(wait_until(lambda: service.counted("anorank_connections") <= 1))

    def test_connections_of_one_address_are_limited(self):
        with Service("--max-per-address", "5", "--idle-seconds", "3", log="events") as service:
            links = [connect(service) for _ in range(20)]
            self.assertTrue(wait_until(lambda: sum(map(closed, links)) >= 15))
            for link in links:
                link.close()
            self.assertTrue(wait_until(lambda: service.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200")))

if __name__ == "__main__":
    served.main()
