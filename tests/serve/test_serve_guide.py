"""docs/serve.md does what it says: its sh blocks run in order, with the service of the block marked `background` beside them."""
# labels: nothreads
import os
import re
import signal
import subprocess
import time
import unittest

import served
from served import ANORANK, FOLDER, wait_until

SOURCE = os.environ["SOURCE"]


class Guide(unittest.TestCase):
    def test_the_blocks_run(self):
        with open(os.path.join(SOURCE, "docs", "serve.md")) as page:
            text = page.read()
        blocks = re.findall(r"^```sh( background)?\n(.*?)^```", text, re.M | re.S)
        self.assertGreaterEqual(len(blocks), 4)
        os.makedirs(os.path.join(FOLDER, "bin"))
        os.symlink(ANORANK, os.path.join(FOLDER, "bin", "anorank"))
        environment = dict(os.environ, PATH=os.path.join(FOLDER, "bin") + ":" + os.environ["PATH"])
        service, outputs, port = None, [], "8090"
        try:
            for background, block in blocks:
                if background:
                    with served.socket.socket() as free:
                        free.bind(("127.0.0.1", 0))
                        port = str(free.getsockname()[1])
                    words = "exec " + block.strip() + " --listen 127.0.0.1:" + port
                    service = subprocess.Popen(["sh", "-c", words], cwd=FOLDER, env=environment, stderr=subprocess.DEVNULL)
                    self.assertTrue(wait_until(lambda: served.socket.socket().connect_ex(("127.0.0.1", int(port))) == 0))
                    continue
                out = subprocess.run(["sh", "-e", "-c", block.replace("8090", port)], cwd=FOLDER, env=environment,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(out.returncode, 0, out.stderr)
                outputs.append(out.stdout)
            self.assertEqual(len(outputs[1].splitlines()), 501)
            self.assertTrue(served.json.loads(outputs[2])[0]["reasons"])
        finally:
            if service:
                service.send_signal(signal.SIGTERM)
                self.assertEqual(service.wait(60), 0)

    def test_files_that_the_page_names_are_there(self):
        with open(os.path.join(SOURCE, "docs", "serve.md")) as page:
            for path in re.findall(r"\]\(([^)#]+)\)", page.read()):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, "docs", path)), path)


if __name__ == "__main__":
    if not served.shutil.which("curl"):
        served.skip("curl is not installed")
    served.main()
