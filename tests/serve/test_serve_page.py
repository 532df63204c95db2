"""The page at / in a browser: rows go in, findings come out, and text that looks like markup stays text. Speaks to Chromium over
its debugging pipe; skips without one."""
# labels: nothreads
import json
import os
import shutil
import subprocess
import time
import unittest

import served
from served import FOLDER, Service, read

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
EVIL = "<img src=x onerror=document.title='run'>"


class Browser:
    def __init__(self):
        to_browser, ours_out = os.pipe()
        ours_in, from_browser = os.pipe()
        script = 'exec 3<&%d 4>&%d; exec "%s" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="%s" ' \
                 '--remote-debugging-pipe about:blank' % (to_browser, from_browser, CHROMIUM, os.path.join(FOLDER, "profile"))
        self.process = subprocess.Popen(["bash", "-c", script], pass_fds=[to_browser, from_browser],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.out, self.into, self.count, self.events = os.fdopen(ours_out, "wb", 0), os.fdopen(ours_in, "rb", 0), 0, []
        self.session, self.rest = None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                more = self.into.read(65536)
                if not more:
                    raise AssertionError("the browser has ended")
                self.rest += more
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.count:
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(script):
                return True
            time.sleep(0.1)
        return False

    def complaints(self):
        """Errors of the console and of the content security policy."""
        self.run("0")
        return [event["params"] for event in self.events if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")
                and "favicon" not in json.dumps(event) and "status of 4" not in json.dumps(event)]

    def close(self):
        self.process.kill()
        self.process.wait()
        self.out.close()
        self.into.close()


class Page(unittest.TestCase):
    def ask(self, browser, rows, fdr):
        browser.run("document.getElementById('rows').value = %s; document.getElementById('fdr').value = %s; "
                    "document.getElementById('ask').requestSubmit(); 0" % (json.dumps(rows), json.dumps(fdr)))

    def test_rows_in_findings_out_and_markup_stays_text(self):
        rows = read("rows.csv").decode().replace("=T77,", '"%s",' % EVIL)
        with Service() as service:
            browser = Browser()
            try:
                browser.call("Page.navigate", url="http://127.0.0.1:%d/" % service.port)
                self.assertTrue(browser.wait("document.readyState == 'complete' && document.getElementById('model').options.length == 1"))
                self.ask(browser, rows, "")
                self.assertTrue(browser.wait("document.querySelectorAll('#findings tbody tr').length == 400"))
                first = browser.run("Array.from(document.querySelectorAll('#findings tbody tr')[0].cells).map(c => c.textContent)")
                self.assertIn(EVIL, first)
                self.assertIn("78", first)
                self.assertIn("amount", first[-1])
                self.assertEqual(browser.run("document.querySelectorAll('img').length"), 0)
                self.assertNotEqual(browser.run("document.title"), "run")
                self.ask(browser, "%s\n1\n" % EVIL, "0.1")
                self.assertTrue(browser.wait("document.getElementById('verdict').className == 'problem'"))
                self.assertIn("the request lacks", browser.run("document.getElementById('verdict').textContent"))
                self.assertEqual(browser.complaints(), [])
                # a script from elsewhere does not run
                browser.run("const s = document.createElement('script'); s.textContent = 'document.title = \"run\"'; document.body.append(s); 0")
                self.assertNotEqual(browser.run("document.title"), "run")
            finally:
                browser.close()


if __name__ == "__main__":
    if not CHROMIUM or not shutil.which("bash"):
        served.skip("Chromium is not installed")
    served.main()
