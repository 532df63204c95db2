"""Requests that two programs could read in two ways, that are too large, or that are none: each is refused with a status and
harms no other client."""
import json
import unittest

import served
from served import Service, status_of

HEAD = b"POST /v1/models/m/score HTTP/1.1\r\nHost: localhost\r\n"
ROWS = b"id,amount,kind,age\n1,12,x,3\n"
SMUGGLED = b"0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
PLAIN = HEAD + b"Content-Length: %d\r\n\r\n" % len(ROWS) + ROWS

# What is sent, the status it must get (0: closed without a word, or refused by either layer), and the code of the problem.
REFUSED = {
    "Content-Length and Transfer-Encoding": (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + SMUGGLED, 400,
        "request-length-and-encoding"),
    "Content-Length comes twice": (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", 400,
        "request-length-twice"),
    "the same length twice": (HEAD + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400,
        "request-length-twice"),
    "a list of lengths": (HEAD + b"Content-Length: 5, 5\r\n\r\nhello", 400, ""),
    "a length with a sign": (HEAD + b"Content-Length: +5\r\n\r\nhello", 400, ""),
    "a length in hexadecimal": (HEAD + b"Content-Length: 0x5\r\n\r\nhello", 400, ""),
    "an endless length": (HEAD + b"Content-Length: 99999999999999999999999\r\n\r\nhello", 0, ""),
    "an unknown encoding": (HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + SMUGGLED, 501,
        "request-transfer-encoding"),
    "an encoding in a list": (HEAD + b"Transfer-Encoding: identity, chunked\r\n\r\n" + SMUGGLED, 501, ""),
    "two encodings": (HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + SMUGGLED, 501, ""),
    "an encoding in HTTP/1.0": (HEAD.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n" + SMUGGLED, 400,
        "request-encoding-http-1-0"),
    "a blank before the colon": (HEAD + b"Content-Length : 5\r\n\r\nhello", 400,
        "request-header-form"),
    "bare LF everywhere": (PLAIN.replace(b"\r\n", b"\n"), 400,
        "request-line-ending"),
    "bare LF after the request": (PLAIN.replace(b"1.1\r\n", b"1.1\n"), 400,
        "request-line-ending"),
    "bare LF between headers": (PLAIN.replace(b"localhost\r\n", b"localhost\n"), 400,
        "request-line-ending"),
    "bare LF after the last header": (HEAD + b"Content-Length: 5\n\r\nhello", 400,
        "request-line-ending"),
    "bare LF in place of the last line": (HEAD + b"Content-Length: 5\r\n\nhello", 400,
        "request-line-ending"),
    "a header hidden behind a bare LF": (HEAD + b"X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", 400,
        "request-line-ending"),
    "a bare CR": (HEAD + b"X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", 400, ""),
    "a folded header": (HEAD + b"X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello", 400, ""),
    "a header without a name": (HEAD + b": a\r\nContent-Length: 5\r\n\r\nhello", 400, ""),
    "a header without a colon": (HEAD + b"Content-Length\r\n\r\nhello", 400, ""),
    "a NUL in a header": (HEAD + b"X: a\0b\r\nContent-Length: 5\r\n\r\nhello", 400, ""),
    "two hosts": (HEAD + b"Host: localhost\r\nContent-Length: 5\r\n\r\nhello", 400,
        "request-header-twice"),
    "no host": (PLAIN.replace(b"Host: localhost\r\n", b""), 400, ""),
    "no length": (HEAD + b"\r\n", 411,
        "request-length-missing"),
    "a body where none belongs": (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 400,
        "request-body-unexpected"),
    "an odd method": (PLAIN.replace(b"POST", b"SCORE"), 501,
        "request-method-unknown"),
    "TRACE": (b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, ""),
    "CONNECT": (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, ""),
    "OPTIONS, which CORS would ask": (b"OPTIONS /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n", 405,
        "request-method"),
    "DELETE": (b"DELETE /v1/models/m HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, ""),
    "another version": (PLAIN.replace(b"HTTP/1.1", b"HTTP/3.0"), 505, ""),
    "no version": (b"GET /healthz\r\n\r\n", 0, ""),
    "an odd expectation": (HEAD + b"Expect: 200-ok\r\nContent-Length: 5\r\n\r\nhello", 417,
        "request-expect"),
    "a compressed body": (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", 415,
        "request-body-compressed"),
    "a body that is compressed all the same": (HEAD + b"Content-Length: 5\r\n\r\n\x1f\x8b\x08\0\0", 415,
        "request-body-compressed"),
    "an unknown type": (HEAD + b"Content-Type: image/png\r\nContent-Length: 5\r\n\r\nhello", 415,
        "request-content-type"),
    "100 kB of header": (HEAD + b"X: " + b"a" * 100000 + b"\r\nContent-Length: 5\r\n\r\nhello", 431, ""),
    "too many headers": (HEAD + b"X: a\r\n" * 100 + b"Content-Length: 5\r\n\r\nhello", 431,
        "request-head-size"),
    "too many parameters": (PLAIN.replace(b"/score", b"/score?" + b"a=1&" * 40), 431,
        "request-head-size"),
    "100 kB of address": (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, ""),
    "1 GB announced": (HEAD + b"Content-Length: 1000000000\r\n\r\nhello", 413,
        "request-body-size"),
    "a stranger's name": (PLAIN.replace(b"localhost", b"evil.example"), 403,
        "request-host"),
    "a name that begins like ours": (PLAIN.replace(b"localhost", b"localhost.evil.example"), 403, ""),
    "a number that begins like ours": (PLAIN.replace(b"localhost", b"127.0.0.1.evil.example"), 403, ""),
    "garbage": (bytes(range(256)) * 40 + b"\r\n\r\n", 0, ""),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n", 0, ""),
    "up and away": (b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404,
        "request-address"),
    "up and away in disguise": (b"GET /v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404,
        "request-address"),
    "a NUL in the address": (b"GET /healthz%00.css HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, ""),
    "an address of somebody else": (b"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, ""),
}


class Hygiene(unittest.TestCase):
    def test_what_is_in_doubt_is_refused_and_the_connection_with_it(self):
        with Service("--idle-seconds", "5") as service:
            for name, (data, wanted, code) in REFUSED.items():
                with self.subTest(name):
                    answer = service.raw(data)
                    if wanted:
                        self.assertEqual(status_of(answer), wanted, answer[:300])
                    else:
                        self.assertNotIn(status_of(answer), range(200, 300), answer[:300])
                    if code:
                        self.assertIn(b'"code": "%s"' % code.encode(), answer)
                    self.assertNotIn(b"smuggled", answer)
                    self.assertNotIn(b"HTTP/1.1 200", answer)
            self.assertEqual(status_of(service.raw(PLAIN)), 200)
            # nothing that was hidden in a body has become a request
            served.wait_until(lambda: service.answered(200) >= 1)
            self.assertEqual(service.answered(200), 1)

    def test_nothing_follows_a_refused_request_on_its_connection(self):
        with Service() as service:
            for name in ("Content-Length and Transfer-Encoding", "Content-Length comes twice", "bare LF everywhere"):
                answer = service.raw(REFUSED[name][0] + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", to_end=True)
                self.assertEqual(answer.count(b"HTTP/1.1 "), 1, name)

    def test_good_requests_that_look_odd_are_answered(self):
        chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n%s\r\n0\r\n\r\n" % (len(ROWS), ROWS)
        for data in (chunked, PLAIN.replace(b"localhost", b"127.0.0.1:8090"), PLAIN.replace(b"localhost", b"[::1]:80"),
                     PLAIN.replace(b"Host: localhost", b"host:localhost"),
                     HEAD + b"Content-Type: text/csv; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(ROWS) + ROWS,
                     HEAD + b"X-Empty:\r\nContent-Length: %d\r\n\r\n" % len(ROWS) + ROWS,
                     HEAD + b"Content-Length: %d\r\nX-Last:\r\n\r\n" % len(ROWS) + ROWS,
                     PLAIN.replace(b"HTTP/1.1", b"HTTP/1.0")):
            with Service() as service:
                self.assertEqual(status_of(service.raw(data)), 200, data[:200])

    def test_two_requests_in_one_packet_get_two_answers(self):
        with Service() as service:
            last = PLAIN.replace(b"Host: localhost", b"Host: localhost\r\nConnection: close")
            answer = service.raw(PLAIN + last, to_end=True)
            self.assertEqual(answer.count(b"HTTP/1.1 200"), 2)

    def test_problems_are_problem_json(self):
        with Service() as service:
            for path, body, wanted in (("/nothing", None, 404), ("/v1/models/m/score", b"a\n1\n", 422),
                                       ("/v1/models/m/rank?fdr=2", b"a\n1\n", 400), ("/v1/models/m/score?fdr=.1", b"a\n1\n", 400),
                                       ("/v1/models/m/score?max-memory=1", b"a\n1\n", 400), ("/v1/models/x/score", b"a\n1\n", 404)):
                status, headers, answer = service.ask(path, body)
                self.assertEqual(status, wanted, path)
                self.assertEqual(headers["Content-Type"], "application/problem+json")
                told = json.loads(answer)
                self.assertEqual(told["status"], wanted)
                self.assertTrue(told["code"] and told["detail"] and told["title"] and told["type"])


if __name__ == "__main__":
    served.main()
