"""The package's `hog` command answers, refuses and sandboxes Python strategies as the program does."""

from __future__ import annotations

import json
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
