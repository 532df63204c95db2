"""The answers: those of the command line bit for bit, in every format; and what the service says of itself."""
# labels: nothreads
import concurrent.futures
import csv
import io
import json
import os
import re
import shutil
import subprocess
import unittest

import served
from served import Service, read, run

TYPES = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson", "json": "application/json"}


def bodies():
    """rows.csv in each format that is taken."""
    table = list(csv.DictReader(io.StringIO(read("rows.csv").decode())))
    for row in table:
        for name in ("amount", "age"):
            row[name] = float(row[name]) if row[name] else None
    tsv = read("rows.csv").replace(b",", b"\t")
    lines = "".join(json.dumps(row) + "\n" for row in table).encode()
    return {"csv": read("rows.csv"), "tsv": tsv, "jsonl": lines, "json": json.dumps(table, indent=1).encode()}


class Entities(unittest.TestCase):
    """Each request starts from the model's state and does not change it."""

    def test_requests_score_as_the_command_line_does_and_keep_nothing(self):
        lines = ["machine,t,load,heat"]
        lines += [f"m{i % 3},{i},{10 * (i % 3) + (i * 37 % 11) / 11:.4f},{(i * 53 % 17) / 17:.4f}" for i in range(400)]
        for name, part in (("past", lines[1:301]), ("now", lines[301:]), ("one", lines[301:302])):
            with open(os.path.join(served.FOLDER, f"fleet-{name}.csv"), "w") as file:
                file.write("\n".join([lines[0], *part]) + "\n")
        run("fit", "fleet-past.csv", "--by", "machine", "--time", "t", "-q", "-o", "fleet.anr")
        with Service(models=("fleet.anr",)) as service:
            for name in ("now", "one", "now"):
                run("score", "fleet.anr", f"fleet-{name}.csv", "-q", "-o", "fleet-scores.csv")
                status, _, got = service.ask("/v1/models/fleet/score", read(f"fleet-{name}.csv"), {"Content-Type": "text/csv"})
                self.assertEqual(status, 200, got)
                self.assertEqual(got, read("fleet-scores.csv"))


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service(models=("m.anr", "second=other.anr"))
        cls.bodies = bodies()

    @classmethod
    def tearDownClass(cls):
        assert cls.service.stop() == 0

    def test_scores_are_those_of_the_command_line_bit_for_bit(self):
        for name, body in self.bodies.items():
            path = "in." + name
            with open(os.path.join(served.FOLDER, path), "wb") as out:
                out.write(body)
            for model, file in (("m", "m.anr"), ("second", "other.anr")):
                status, headers, got = self.service.ask("/v1/models/%s/score" % model, body, {"Content-Type": TYPES[name]})
                self.assertEqual(status, 200, got)
                self.assertEqual(headers["Content-Type"].split(";")[0], TYPES[name])
                as_lines = "jsonl" if name == "json" else name
                wanted = run("score", file, path, "-q", "--output-format", as_lines)
                if name == "json":
                    got = b"".join(line.rstrip(b",") + b"\n" for line in got.splitlines()[1:-1])
                self.assertEqual(got, wanted, name)

    def test_ranks_are_those_of_the_command_line_bit_for_bit(self):
        for options in (["--fdr", "0.1"], ["--lowest", "5", "--reasons", "2"], ["--mass", "0.95", "--keep", "kind,amount"], []):
            query = "&".join("%s=%s" % (a[2:], b) for a, b in zip(options[::2], options[1::2]))
            for kind in ("csv", "jsonl"):
                status, _, got = self.service.ask("/v1/models/m/rank?" + query, self.bodies["csv"], {"Accept": TYPES[kind]})
                self.assertEqual(status, 200, got)
                self.assertEqual(got, run("rank", "m.anr", "rows.csv", "-q", "--output-format", kind, *options), options)
            status, _, got = self.service.ask("/v1/models/m/rank?" + query, self.bodies["json"])
            found = json.loads(got)
            self.assertEqual(status, 200)
            self.assertEqual([one["row"] for one in found[:1]], [78] if "--fdr" not in options else [])

    def test_the_headline_of_a_ranking_is_a_header(self):
        for options in ([], ["--fdr", "0.1"]):
            query = "&".join("%s=%s" % (a[2:], b) for a, b in zip(options[::2], options[1::2]))
            wanted = json.loads(run("rank", "m.anr", "rows.csv", "-q", "--json", *options))["headline"]
            for kind in TYPES.values():
                _, headers, _ = self.service.ask("/v1/models/m/rank?" + query, self.bodies["csv"], {"Accept": kind})
                self.assertEqual(json.loads(headers["Anorank-Headline"]), wanted)
        self.assertIsNone(self.service.ask("/v1/models/m/score", self.bodies["csv"])[1]["Anorank-Headline"])

    def test_one_row_or_all_and_any_thread_the_same_bits(self):
        status, _, whole = self.service.ask("/v1/models/m/score", self.bodies["jsonl"])
        wanted = [json.loads(line)["score"] for line in whole.splitlines()]

        def one(i):
            body = self.bodies["jsonl"].splitlines()[i]
            return json.loads(self.service.ask("/v1/models/m/score", body)[2])["score"]

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(one, range(120))), wanted[:120])

    def test_long_bodies_go_through_a_file_and_come_out_whole(self):
        header, rows = self.bodies["csv"].split(b"\n", 1)
        body = header + b"\n" + rows * 40
        status, headers, got = self.service.ask("/v1/models/m/score", body)
        self.assertEqual((status, int(headers["Content-Length"])), (200, len(got)))
        with open(os.path.join(served.FOLDER, "long.csv"), "wb") as out:
            out.write(body)
        self.assertEqual(got, run("score", "m.anr", "long.csv", "-q"))

    def test_a_body_larger_than_its_table_may_be_is_ranked_in_blocks(self):
        header, rows = self.bodies["csv"].split(b"\n", 1)
        body = header + b"\n" + rows * 120
        with open(os.path.join(served.FOLDER, "long.csv"), "wb") as out:
            out.write(body)
        with Service("--max-table", "1M") as service:
            for options in (["--lowest", "5"], ["--mass", "0.99", "--keep", "kind"], ["--reasons", "0"]):
                query = "&".join("%s=%s" % (a[2:], b) for a, b in zip(options[::2], options[1::2]))
                for kind in ("csv", "jsonl"):
                    status, headers, got = service.ask("/v1/models/m/rank?" + query, body, {"Accept": TYPES[kind]})
                    self.assertEqual(status, 200, got[:400])
                    self.assertEqual(got, run("rank", "m.anr", "long.csv", "-q", "--output-format", kind, *options), options)
                    headline = json.loads(run("rank", "m.anr", "long.csv", "-q", "--json", *options))["headline"]
                    self.assertEqual(json.loads(headers["Anorank-Headline"]), headline)
            self.assertIn(b'anorank_rows_total{model="m"} %d' % (6 * 48000), service.ask("/metrics")[2])
        with Service("--max-table", "1M", "--max-rows", "47999") as service:
            status, _, got = service.ask("/v1/models/m/rank", body)
            self.assertEqual((status, json.loads(got)["code"]), (413, "request-row-count"))

    def test_a_broken_cell_is_told_with_its_place_and_a_remedy_that_works(self):
        body = self.bodies["csv"].replace(b"\n=T50,", b"\n=T50,twelve,x,3\nBEFORE,")
        status, _, got = self.service.ask("/v1/models/m/score", body)
        problem = json.loads(got)
        self.assertEqual((status, problem["kind"], problem["code"], problem["column"], problem["line"]), (422, "data", "cell-not-number", "amount", 52))
        self.assertTrue(problem["remedies"])
        for remedy in problem["remedies"]:
            status, _, got = self.service.ask("/v1/models/m/score?%s=%s" % (remedy["parameter"], remedy["value"]), body)
            self.assertNotEqual(json.loads(got)["detail"] if status != 200 else "", problem["detail"])

    def test_empty_and_useless_bodies_are_told(self):
        for body in (b"", b"\n", b"{}", b"[]", b"{", b"[[[", b"\0\0\0", b"\xff\xfe", b'{"a":' + b"[" * 300000 + b"}", b"[" * 300000):
            for route in ("score", "rank"):
                status, _, got = self.service.ask("/v1/models/m/" + route, body, {"Content-Type": "application/json"})
                self.assertIn(status, (400, 422), body[:20])
                self.assertTrue(json.loads(got)["detail"] and json.loads(got)["code"])

    def test_no_answer_names_a_file_of_the_system(self):
        told = self.service.ask("/v1/models")[2] + self.service.ask("/metrics")[2] + self.service.ask("/v1/models/m/score", b"a\n1\n")[2]
        self.assertNotIn(served.FOLDER.encode(), told)
        self.assertNotIn(b".anr", told)

    def test_models_tell_their_columns_and_digests(self):
        models = json.loads(self.service.ask("/v1/models")[2])["models"]
        self.assertEqual([model["name"] for model in models], ["m", "second"])
        digest = subprocess.run(["sha256sum", "m.anr"], cwd=served.FOLDER, stdout=subprocess.PIPE).stdout.split()[0].decode()
        self.assertEqual(models[0]["sha256"], digest)
        self.assertEqual([column["role"] for column in models[0]["columns"]], ["id", "numeric", "categorical", "numeric"])
        self.assertEqual(json.loads(self.service.ask("/v1/models/m")[2]), models[0])
        self.assertEqual(self.service.ask("/v1/models/m/score", self.bodies["csv"])[1]["Anorank-Model"], digest)

    def test_metrics_count_rows_and_p_values(self):
        before = self.service.counted("anorank_rows_total")
        self.service.ask("/v1/models/m/score", self.bodies["csv"])
        self.service.ask("/v1/models/m/rank?fdr=0.1", self.bodies["csv"])
        self.assertEqual(self.service.counted("anorank_rows_total") - before, 800)
        text = self.service.ask("/metrics")[2].decode()
        families = []
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) [a-z_]+ .*|[a-z_]+(\{[a-z_0-9]+="[^"]*"(,[a-z_0-9]+="[^"]*")*\})? [-+0-9.e]+)$')
            if line.startswith("# TYPE"):
                families.append(line.split()[2])
            elif line[0] != "#":  # all lines of a family stand together
                self.assertTrue(re.split(r"[ {]", line)[0].startswith(families[-1]), line)
        self.assertEqual(len(families), len(set(families)))
        inf = [line for line in text.splitlines() if line.startswith('anorank_p_value_bucket{model="m",le="+Inf"}')]
        count = [line for line in text.splitlines() if line.startswith('anorank_p_value_count{model="m"}')]
        self.assertEqual(inf[0].split()[-1], count[0].split()[-1])

    def test_the_description_is_that_of_the_service(self):
        text = self.service.ask("/openapi.json")[2]
        doc = json.loads(text)
        for reference in re.findall(r'"\$ref": "#/([^"]*)"', text.decode()):
            place = doc
            for part in reference.split("/"):
                place = place[part]
        for path, about in doc["paths"].items():
            path = path.replace("{name}", "m")
            for method in ("get", "post"):
                status = self.service.ask(path, b"x" if method == "post" else None)[0]
                self.assertEqual(status == 405, method not in about, path)
        rank = {p["$ref"].split("/")[-1] for p in doc["paths"]["/v1/models/{name}/rank"]["post"]["parameters"]}
        score = {p["$ref"].split("/")[-1] for p in doc["paths"]["/v1/models/{name}/score"]["post"]["parameters"]}
        settings = json.loads(run("list", "settings", "--json"))
        settings = settings if isinstance(settings, list) else settings["settings"]
        for name in (one["name"] for one in settings):
            for route, taken in (("rank", rank), ("score", score)):
                _, _, answer = self.service.ask("/v1/models/m/%s?%s=%%01" % (route, name), b"a\n1\n")
                self.assertEqual(b'"request-parameter"' not in answer, name in taken, (route, name))
        try:
            import jsonschema
        except ImportError:
            print("(python3-jsonschema is not installed: answers are not compared with their schemas)")
            return
        for path, body, schema in (("/v1/models/m", None, "Model"), ("/nothing", None, "Problem"),
                                   ("/v1/models/m/score", self.bodies["json"], "Score"), ("/v1/models/m/rank", self.bodies["json"], "Finding")):
            answer = json.loads(self.service.ask(path, body)[2])
            for one in answer if isinstance(answer, list) else [answer]:
                jsonschema.validate(one, {"$ref": "#/components/schemas/" + schema, "components": doc["components"]})

    def test_the_page_has_no_markup_from_data_and_a_policy(self):
        for path, kind in (("/", "text/html"), ("/page.js", "text/javascript"), ("/page.css", "text/css")):
            status, headers, body = self.service.ask(path)
            self.assertEqual((status, headers["Content-Type"].split(";")[0]), (200, kind))
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertNotIn(b"innerHTML", body)
            self.assertNotIn(b"http://", body)
            self.assertNotIn(b"https://", body)
        self.assertIsNone(self.service.ask("/")[1]["Access-Control-Allow-Origin"])

    def test_logs_are_json_lines_without_cells(self):
        self.service.ask("/v1/models/m/score?keep=SECRET", b"id,amount,kind,age\nSECRET,SECRET,SECRET,SECRET\n")
        self.service.ask("/SECRET?SECRET=SECRET", headers={"X": "SECRET", "Authorization": "Bearer SECRET"})
        for line in self.service.text().splitlines():
            self.assertIn("event", json.loads(line))
            self.assertNotIn("SECRET", line)

    def test_curl_is_answered_as_the_guide_has_it(self):
        if not shutil.which("curl"):
            self.skipTest("curl is not installed")
        where = "http://127.0.0.1:%d/v1/models/m/rank?fdr=0.1" % self.service.port
        got = subprocess.run(["curl", "-s", "--data-binary", "@rows.csv", where], cwd=served.FOLDER, stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(got, run("rank", "m.anr", "rows.csv", "--fdr", "0.1", "-q", "--output-format", "csv"))
        long = "@long.csv" if os.path.exists(os.path.join(served.FOLDER, "long.csv")) else "@rows.csv"  # long: with 100-continue
        for words in (["--data-binary", long], ["-T", long[1:], "-X", "POST"]):
            where = "http://127.0.0.1:%d/v1/models/m/score" % self.service.port
            got = subprocess.run(["curl", "-s", "-f", *words, where], cwd=served.FOLDER, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(got, run("score", "m.anr", long[1:], "-q"))

    def test_requests_of_python_is_answered(self):
        try:
            import requests
        except ImportError:
            self.skipTest("python3-requests is not installed")
        session = requests.Session()
        for _ in range(3):
            got = session.post("http://127.0.0.1:%d/v1/models/m/rank" % self.service.port, params={"lowest": 1},
                               json=[{"id": "a", "amount": 12, "kind": "x", "age": 3}, {"id": "b", "amount": 1e6, "kind": "x", "age": None}])
            self.assertEqual(got.json()[0]["id"], "b")


class Names(unittest.TestCase):
    def test_identifiers_with_a_comma_in_their_name_keep_their_text(self):
        body = b'"who, when",amount,"a,b"\n' + b"".join(b"%04d,%d,%d\n" % (i, i * 7 % 31, i % 5) for i in range(1, 200)) + b"0200,900,1\n"
        with open(os.path.join(served.FOLDER, "comma.csv"), "wb") as out:
            out.write(body)
        run("fit", "comma.csv", "-o", "comma.anr", "-q", "--id", "who\\, when", "--drop", "a\\,b")
        with Service(models=("comma.anr",)) as service:
            status, _, got = service.ask("/v1/models/comma/score?keep=a%5C%2Cb", body)
            self.assertEqual((status, got), (200, run("score", "comma.anr", "comma.csv", "-q", "--keep", "a\\,b")))
            self.assertIn(b"\n0200,", got)
            status, _, got = service.ask("/v1/models/comma/rank?lowest=1&keep=a%5C%2Cb", body, {"Accept": "text/csv"})
            self.assertEqual(status, 200, got)
            self.assertTrue(got.splitlines()[1].startswith(b"0200,"), got)
            self.assertIn(b'"a,b"', got.splitlines()[0])


if __name__ == "__main__":
    served.main()
