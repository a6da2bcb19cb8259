"""The package's `hog` command answers, refuses and sandboxes Python strategies as the program does."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path


def _hog(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hog_solver", *arguments], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def test_best_prints_the_best_roll() -> None:
    done = _hog("best", "fa21", "20", "36", "--format", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["best"] == [8]


def test_a_refused_command_exits_with_status_2() -> None:
    done = _hog("best", "fa21", "200", "36")
    assert done.returncode == 2 and "at or above the goal" in done.stderr
    assert _hog("--help").returncode == 0


def test_python_strategies_run_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "six.py").write_text("def final_strategy(score, opponent):\n    return 6\n")
    done = _hog("rate", "fa21", str(tmp_path / "six.py"), "always_roll:6", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["win_rate"]["average"] == 0.5
    (tmp_path / "thief.py").write_text("text = open('/etc/passwd').read()\n\ndef final_strategy(score, opponent):\n    return 6\n")
    done = _hog("rate", "fa21", str(tmp_path / "thief.py"), "always_roll:6")
    assert done.returncode == 2


def test_a_strategy_gets_no_file_of_the_caller(tmp_path: Path) -> None:
    (tmp_path / "grades").write_text("nobody's business")
    own = tmp_path / "own"
    own.mkdir()
    (own / "looks.py").write_text(
        "import os\n\ndef is_open(number):\n    try:\n        return bool(os.fstat(number))\n    except OSError:\n        return False\n\n"
        "found = [number for number in range(4, 64) if is_open(number)]\n\ndef final_strategy(score, opponent):\n    return 3 if found else 1\n"
    )
    rate = ["rate", "fa21", str(own / "looks.py"), "always_roll:1", "--format", "json", "--no-cache"]
    code = f"import hog_solver as hs; print(hs.Game('fa21').rate({str(own / 'looks.py')!r}, 'always_roll:1').average)"
    folder, file = os.open(tmp_path, os.O_RDONLY), os.open(tmp_path / "grades", os.O_RDONLY)
    pipe, end = os.pipe()
    left, right = socket.socketpair()
    with left, right:
        held = (folder, file, pipe, end, left.fileno(), right.fileno())
        done = _hog(*rate, pass_fds=held)
        called = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, pass_fds=held)
    for number in (folder, file, pipe, end):
        os.close(number)
    assert done.returncode == 0 and json.loads(done.stdout)["win_rate"]["average"] == 0.5, done.stderr
    assert called.returncode == 0 and float(called.stdout) == 0.5, called.stderr
