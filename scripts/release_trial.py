"""Tries the archive and the wheel beside this file on a bare machine: what scripts/release try runs in a Debian root.

Each command is timed; it must succeed and print what it should. The machine has Python 3 and nothing of hog.
"""

import fcntl
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tarfile
import time
import urllib.request
import venv

DIST = pathlib.Path(__file__).parent
WORK = pathlib.Path("/tmp/trial")
STRATEGY = "def final_strategy(score, opponent_score):\n    return 0 if score >= 92 else 5\n"


def run(*command, shows):
    begun = time.monotonic()
    done = subprocess.run(command, cwd=WORK, capture_output=True, text=True)
    seconds = time.monotonic() - begun
    if done.returncode != 0 or shows not in done.stdout:
        sys.exit(f"{command} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    print(f"{seconds:8.2f} s  {' '.join(map(str, command))}", flush=True)


# The network of this machine is its loopback, which has to be switched on (SIOCSIFFLAGS, IFF_UP).
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    fcntl.ioctl(control, 0x8914, struct.pack("16sh22x", b"lo", 1))

assert shutil.which("cargo") is None and shutil.which("rustc") is None
shutil.rmtree(WORK, ignore_errors=True)
(WORK / "class").mkdir(parents=True)
(WORK / "hog.py").write_text(STRATEGY)
(WORK / "class/ada.py").write_text(STRATEGY)
(WORK / "class/eve.py").write_text(STRATEGY.replace("92", "88"))

# The archive: unpacked to the first answer.
begun = time.monotonic()
with tarfile.open(next(DIST.glob("hog-*.tar.gz"))) as archive:
    archive.extractall(WORK)
hog = next(WORK.glob("hog-*/hog"))
run(hog, "best", "fa21", "20", "36", shows="roll 8: win rate 0.3965707251269991")
print(f"{time.monotonic() - begun:8.2f} s  from the archive to the first answer", flush=True)
run(hog, "--version", shows="hog")
run(hog, "try", "fa24", "hog.py", shows="it wins")
run(hog, "contest", "fa24", "class", shows="ada")

# The server: it prints its address and answers there.
server = subprocess.Popen([hog, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    address = None
    while address is None:
        line = server.stdout.readline()
        if not line:
            sys.exit("hog serve ended without an address")
        address = re.search(r"http://[\w.:]+", line)
    with urllib.request.urlopen(address[0]) as answer:
        assert b"<title>" in answer.read()
    print(f"{'':8}    hog serve answers at {address[0]}", flush=True)
finally:
    server.terminate()
    server.wait()

# The wheel: pip install to the first answer, in a fresh environment.
venv.create(WORK / "environment", with_pip=True)
python = WORK / "environment/bin/python"
begun = time.monotonic()
run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", DIST, "hog-solver", shows="")
run(python, "-c", "import hog_solver as hs; print(hs.Game('fa21').final_strategy(20, 36))", shows="8")
print(f"{time.monotonic() - begun:8.2f} s  from pip install to the first answer", flush=True)
run(WORK / "environment/bin/hog", "best", "fa21", "20", "36", shows="roll 8")
run(WORK / "environment/bin/hog", "try", "fa24", "hog.py", shows="it wins")
