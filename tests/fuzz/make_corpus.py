#!/usr/bin/python3
"""The seed corpora: small inputs, plain and nasty. Run from the top of the source tree, after make_npy.py.
Of inputs with a number (plain-3) only those that add coverage are committed."""
import glob
import gzip
import os
import shutil
import struct

TOP = "tests/fuzz/corpus/"


def write(subject, name, content):
    os.makedirs(TOP + subject, exist_ok=True)
    with open(TOP + subject + "/" + name, "wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode())


csv = {
    "sep-line": "sep=;\na;b\n1;2\n",
    "plain": "a,b\n1,2\n3,4\n", "no-header": "1,2\n3,4\n", "crlf": "a,b\r\n1,2\r\n", "cr": "a,b\r1,2\r",
    "quotes": 'a,b\n"x, y","1"\n"say ""hi""",2\n', "newline-in-quotes": 'a,b\n"x\ny",1\n"z",2\n',
    "open-quote": 'a,b\n"x,1\n', "after-quote": 'a,b\n"x"y,1\n', "bom": "\ufeffa,b\n1,2\n", "missing": "a,b\nNA,1\n,2\n?,3\n",
    "short-row": "a,b\n1\n", "long-row": "a,b\n1,2,3\n", "blank-lines": "a,b\n\n1,2\n\n\n3,4\n\n", "one-column": "a\n1\n\n2\n",
    "no-end": "a,b\n1,2", "only-header": "a,b\n", "empty": "", "newline": "\n", "commas": ",,,\n,,,\n", "same-names": "a,a,a\n1,2,3\n",
    "numbers": "a\n1e308\n-0\n5e-324\n1e999\ninf\n-inf\nnan\n0x10\n1_000\n.5\n5.\n+1\n", "text-late": "a\n" + "1\n" * 30 + "x\n",
    "semicolon": "a;b\n1,5;2\n", "pipe": "a|b\n1|2\n", "tabs": "a\tb\n1\t2\n", "spaces": "a  b\n1   2\n", "utf8": "é,ü\n1,ß\n",
    "blanks": " a , b \n 1 , x \n", "long-digits": "a\n" + "1" * 500 + "\n0." + "3" * 500 + "\n", "wide": ",".join("c%d" % i for i in range(300)) + "\n" + ",".join("1" * 300) + "\n",
    "numeric-names": "1,2\na,b\n", "eighteen": "a\n123456789012345678\n12345678901234567890\n9007199254740993\n",
}
for name, text in csv.items():
    write("csv", name, b"\x00" + text.encode())
write("csv", "tsv", b"\x20a\tb\n1\t2\n")
write("csv", "yes-header", b"\x081,2\n3,4\n")
write("csv", "categorical", b"\x48a,b\n1,2\n1,3\n")
write("csv", "nul", b"\x00a,b\n1,\x00\n")
write("csv", "bad-utf8", b"\x00a,b\n\xff\xfe,1\n\xc3,2\n")
write("csv", "gzip", b"\x00" + gzip.compress(b"a,b\n1,2\n", mtime=0))

jsonl = {
    "object": '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n', "array": "[1,2]\n[3,4]\n", "missing-key": '{"a":1}\n{"b":2}\n{}\n', "null": '{"a":null}\n{"a":1}\n',
    "words": "[true,false,null,NaN,Infinity,-Infinity]\n", "escapes": '{"a":"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/\\b\\f\\r\\t"}\n', "bad-escape": '{"a":"\\ud800x"}\n',
    "nested": '{"a":{"b":1}}\n', "nested-array": '{"a":[1]}\n', "array-of-objects": '[{"a":1}]\n', "twice": '{"a":1,"a":2}\n', "empty": "", "blank": "\n \n\t\n",
    "no-keys": "{}\n{}\n", "open": '{"a":1', "open-text": '{"a":"x', "trailing": '{"a":1}x\n', "two": '{"a":1}{"a":2}\n', "comma": '{"a":1,}\n', "mixed": '{"a":1}\n[1]\n',
    "lengths": "[1,2]\n[1]\n", "numbers": "[0]\n[-0]\n[1e999]\n[1E-400]\n[0.1]\n[123456789012345678901234567890]\n", "bad-numbers": "[01]\n", "bad-number": "[1.]\n", "plus": "[+1]\n",
    "crlf": '{"a":1}\r\n{"a":2}\r\n', "bom": '\ufeff{"a":1}\n', "spaces": ' { "a" : 1 , "b" : [ ] } \n', "kinds": '{"a":"1"}\n{"a":2}\n{"a":"NA"}\n', "text-late": "[1]\n" * 30 + '["x"]\n',
    "empty-key": '{"":1,"x1":2}\n', "long-digits": "[" + "7" * 500 + "]\n[0." + "0" * 400 + "1]\n", "control": '{"a":"\x01"}\n', "new-key-order": '{"a":1,"b":2}\n{"b":3,"a":4}\n',
}
for name, text in jsonl.items():
    write("jsonl", name, text)
write("jsonl", "nul", b'{"a":"x\x00y"}\n')
write("jsonl", "bad-utf8", b'{"\xff":"\xc3"}\n')

settings = {
    "empty": "", "all": "seed = 7\nthreads = 2\nmax-memory = 2G\nformat = csv\nheader = yes\ndelimiter = tab\nmissing = NA,?\ncategorical = a,b\narray = X\nblock-rows = 10\n",
    "judge": "ties=max\ntruncated-u0 = 0.5\nclipped-c=.25\nlevel=0.9\nbootstrap=0\nband-from=0.1\nband-to=0.9\npoints=11\n", "comment": "# hello\n\n  # more\nseed=1\n",
    "simulate": "law=radial\nrows=5\ndim=3\nsigma=1e-3\nalpha=3\nbeta=1\nepsilon=0.01\nradius=2\npad=.1\nfirst-row=1000\n", "unknown": "colour = red\n", "no-equals": "seed 7\n",
    "negative": "threads = -1\n", "too-large": "threads = 99999999999999999999\n", "unsigned": "seed = 18446744073709551615\n", "overflow": "seed = 18446744073709551616\n", "bands": "band-from = 0.9\nband-to = 0.1\n",
    "unit": "max-memory = 3k\n", "bad-unit": "max-memory = 3x\n", "unit-overflow": "max-memory = 9223372036854775807T\n", "crlf": "seed = 1\r\nthreads = 2\r\n", "nan": "level = nan\n", "inf": "sigma = inf\n", "hex": "sigma = 0x1p-3\n",
    "empty-value": "missing =\n", "equals": "missing = a=b\n", "long": "missing = " + "x" * 300 + "\n", "choice": "format = parquet\n", "spaces": "   seed   =   5   \n", "no-newline": "seed=5",
    "tiny": "sigma = 4.9406564584124654e-324\n", "digits": "sigma = 0.1000000000000000055511151231257827\n",
}
for name, text in settings.items():
    write("settings", name, text)
write("settings", "nul", b"seed = 1\x002\n")


def npy(header, data=b"", version=1):
    header = header.encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + data


os.makedirs(TOP + "npy", exist_ok=True)
GOOD = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"
for kind in "b1 i2 u8 f2 f4 f8".split():
    for order in ("little", "big"):
        for layout in ("c", "fortran"):
            source = "tests/golden/npy/%s-%s-%s.npy" % (kind, order, layout)
            if os.path.exists(source) and (order == "big") != (layout == "c"):
                shutil.copy(source, TOP + "npy/")
for source in glob.glob("tests/golden/npy/refused-*.npy") + ["tests/golden/npy/vector.npy", "tests/golden/npy/no-rows.npy"]:
    shutil.copy(source, TOP + "npy/")
write("npy", "lie-rows", npy(GOOD % ("<f8", "False", "(1000000000000, 3)"), b"\0" * 48))
write("npy", "lie-rows-fortran", npy(GOOD % ("<f8", "True", "(1000000, 3)"), b"\0" * 48))
write("npy", "overflow", npy(GOOD % ("<f8", "False", "(18446744073709551615, 2)"), b"\0" * 48))
write("npy", "negative", npy(GOOD % ("<f8", "False", "(-1, 2)")))
write("npy", "trailing", npy(GOOD % ("<f8", "False", "(2, 3)"), b"\0" * 50))
write("npy", "short", npy(GOOD % ("<f8", "False", "(2, 3)"), b"\0" * 40))
write("npy", "wide", npy(GOOD % ("|u1", "False", "(2, 200)"), b"\1" * 400))
write("npy", "header-length", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}")
write("npy", "version", npy(GOOD % ("<f8", "False", "(1, 1)"), b"\0" * 8, 3))
write("npy", "keys", npy("{'shape':(2,),'descr':'|b1','fortran_order':True}", b"\1\0"))
write("npy", "empty", b"")

os.makedirs(TOP + "npz", exist_ok=True)
for source in glob.glob("tests/golden/npy/*.npz"):
    shutil.copy(source, TOP + "npz/")
one, packed = (open("tests/golden/npy/%s.npz" % n, "rb").read() for n in ("one", "packed"))
for share in (10, 30, 50, 70, 90, 99):
    write("npz", "cut-%d" % share, packed[: len(packed) * share // 100])
encrypted = bytearray(one)
encrypted[6] |= 1
encrypted[one.index(b"PK\1\2") + 8] |= 1
write("npz", "encrypted", bytes(encrypted))
flipped = bytearray(one)
flipped[one.index(b"  \n") + 20] ^= 1
write("npz", "checksum", bytes(flipped))
write("npz", "lying-header", one.replace(b"(5, 3), }         ", b"(500000000, 3), } "))
write("npz", "no-members", b"PK\5\6" + b"\0" * 18)
write("npz", "not-zip", b"not a zip archive")
write("npz", "empty", b"")
write("npz", "gzip", gzip.compress(one, mtime=0))
write("npz", "method", one.replace(b"PK\3\4\x2d\0\0\0\0\0", b"PK\3\4\x2d\0\0\0\x0c\0").replace(b"PK\3\4\x14\0\0\0\0\0", b"PK\3\4\x14\0\0\0\x0c\0"))
write("npz", "size", packed[:-30] + bytes(b ^ 255 for b in packed[-30:-26]) + packed[-26:])

# arrow: whether there is a dictionary, which format, then shape, bitmap, cells, length, offset, nulls (see fuzz_arrow.c)
for i in range(30):
    body = bytes((7 * k + i * 31) % 256 for k in range(64 + 1040))
    write("arrow", "plain-%d" % i, bytes([0, i, i % 2]) + body + bytes([20, i, 255]))
    rising = b"".join(struct.pack("<i", 2 * k) for k in range(260))
    write("arrow", "dictionary-%d" % i, bytes([1, i % 8, 0]) + b"\xff" * 64 + bytes(k % 5 for k in range(1040)) + bytes([9, 2, 0])
          + bytes([13 + i % 4, 1]) + b"\xef" * 64 + rising + bytes([30, i % 3, 255]))

os.makedirs(TOP + "xlsx", exist_ok=True)
for name in ("inline", "stored", "entity", "broken", "backward", "no-sheet", "from1904"):
    shutil.copy("tests/golden/xlsx/%s.xlsx" % name, TOP + "xlsx/")

rows = "a,b,c\n" + "".join("%g,%g,%s\n" % (i * 7 % 11, i * i % 13, "xyz"[i % 3]) for i in range(30))
tables = {
    "plain": rows, "gaps": rows.replace("3,", ",", 9), "huge": rows + "1e300,-1e300,x\n1.7e308,5e-324,\n", "equal": "a,b\n" + "1,2\n" * 20,
    "copies": "a,b\n" + "1,2\n3,4\n5,7\n" * 8, "one-column": "a\n" + "".join("%d\n" % (i * i % 17) for i in range(25)), "words": "a,b\n" + "red,on\nblue,off\ngreen,on\n" * 7,
    "times": "t,x\n" + "".join("2025-01-%02d 0%d:00:00,%d\n" % (i + 1, i % 9, i * 5 % 7) for i in range(24)), "flags": "a,b\n" + "yes,1\nno,0\n" * 12, "money": "a;b\n" + "".join("1.%03d,50;%d\n" % (i, i % 5) for i in range(25)),
    "wide": ",".join("c%d" % i for i in range(40)) + "\n" + "".join(",".join(str((i * j) % 7) for j in range(40)) + "\n" for i in range(12)), "infinite": "a,b\n" + "inf,1\n-inf,2\n3,4\n" * 8, "few": "a\n1\n2\n",
}
for place, (name, text) in enumerate(tables.items()):
    for kind in range(12):
        if (place + kind) % 3 == 0:
            write("fit", "%s-%d" % (name, kind), bytes([kind, (place + kind) % 8]) + text.encode())

arguments = {
    "file": "t.csv", "options": "t.csv\n--lowest\n3\n--fdr=0.1", "unknown": "--colour\nred", "help": "--help", "help-all": "--help\nall", "short": "-q\n-v\n-o\nx.csv\nt.csv",
    "number": "--lowest\n1e3\nt.csv", "not-a-number": "--lowest\nmany\nt.csv", "range": "--fdr\n7\nt.csv", "end": "--\n--lowest", "empty": "", "dash": "-", "equals": "--lowest=\n--=\n=", "list": "--drop\na,b\\,c,\nt.csv",
    "many": "a\nb\nc\nd\ne", "old": "--format\ncsv\n--svg\nx.svg\nt.csv", "elsewhere": "--contamination\n0.1\n--top\n5", "steers": "--\x1b[2J\n\u202ex", "long": "--" + "x" * 300,
}
for place, (name, text) in enumerate(arguments.items()):
    for command in range(3):
        write("arguments", "%s-%d" % (name, command), bytes([(7 * command + place) % 17]) + text.encode())
write("arguments", "bad-utf8", b"\x00--\xff\xfe\n\xc3")

# request: lines of a head, an empty line, the body (see fuzz_request.c)
post, local = "POST /v1/models/m/%s HTTP/1.1\n", "Host: localhost\nContent-Length: 9\n"
requests = {
    "health": "GET /healthz HTTP/1.1\nHost: localhost\n\n", "ready": "HEAD /readyz HTTP/1.0\n\n", "models": "GET /v1/models HTTP/1.1\nHost: 127.0.0.1:80\n\n",
    "model": "GET /v1/models/m HTTP/1.1\nHost: [::1]\n\n", "metrics": "GET /metrics HTTP/1.1\nHost: localhost\n\n", "page": "GET / HTTP/1.1\nHost: localhost\n\n",
    "openapi": "GET /openapi.json HTTP/1.1\nHost: localhost\n\n", "nothing": "GET /x HTTP/1.1\nHost: localhost\n\n", "score-csv": post % "score" + local + "\na,b\n1,2\n3,\n",
    "score-lines": post % "score" + local + '\n{"a":1,"b":2}\n{"a":null,"b":"3"}\n', "score-array": post % "score" + local + '\n[{"a":1,"b":2},{"b":4}]',
    "score-tsv": post % "score" + local + "Content-Type: text/tab-separated-values\n\na\tb\n1\t2\n", "as-json": post % "score" + local + "Accept: application/json\n\na,b\n1,2\n4,5\n",
    "rank": post % "rank?fdr=0.5&reasons=2" + local + "\na,b\n1,2\n300,4\n", "rank-lines": post % "rank?lowest=1" + local + "Accept: application/x-ndjson\n\na,b\n1,2\n300,4\n",
    "keep": post % "rank?keep=all&mass=.1" + local + '\n[{"a":1,"b":2,"c":"=x"},{"a":9,"b":-1,"c":"y"}]', "bad-cell": post % "score" + local + "\na,b\n" + "1,2\n" * 12 + "x,2\n",
    "parameter": post % "score?threads=9" + local + "\na,b\n1,2\n", "value": post % "rank?fdr=7" + local + "\na,b\n1,2\n", "packed": post % "score" + local + "\n\x1f\x08", "type": post % "score" + local + "Content-Type: image/png\n\nx",
    "both": post % "score" + local + "Transfer-Encoding: chunked\n\nx", "host": post % "score" + "Host: evil.example\nContent-Length: 1\n\nx", "method": "PUT / HTTP/1.1\nHost: localhost\n\n", "empty": "", "deep": post % "score" + local + "\n" + "[" * 200,
    "too-large": post % "score" + "Host: localhost\nContent-Length: 99999999\n\nx", "no-rows": post % "score" + local + "\na,b\n", "empty-array": post % "rank" + local + "\n[]",
}
for name, text in requests.items():
    write("request", name, text.encode("latin-1"))
