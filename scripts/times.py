#!/usr/bin/env python3
"""Writes docs/times.md: the time and the memory that `hog solve` takes for every built-in game and every game of docs/games.

    python3 scripts/times.py target/release/hog             all games, in some ten minutes
    python3 scripts/times.py target/release/hog pig         these games anew, the others as they are in docs/times.json

Each game is solved by a process of its own. The times are those of the processor, of all threads together, so that other work on
the machine hardly changes them; the memory is the most that the process held at once, as the system reports it (on Linux).
"""

import json
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMES = ROOT / "docs/games"
FOUND = ROOT / "docs/times.json"
PAGE = ROOT / "docs/times.md"

HEAD = """\
[//]: # (Made by scripts/times.py; do not edit.)

# Times and memory

What `hog solve GAME` takes, from the rule file to the solution with every tie that can be told: seconds of the processor, of all
threads together, and the most memory of the process, of which the program itself takes some 25 MiB. Measured on {machine}.
Games with a link are [rule files](games.md), the others are built in; [the survey](survey.md) says
what they are.

| game | first player | states | numbers | ties | seconds | MiB |
|---|---|---|---|---|---|---|
"""

TAIL = """
*exact* are integers or fractions, to the last division; *floats* have a proven error bound, no larger than {bound:.0e} here. *Ties* are
states with several best rolls, or with rolls closer than the bound; how many of them are *open*, ties or not, follows.
"""


def measured(hog, game):
    """Solves a game; returns its answer with the processor's seconds and the most memory in MiB."""
    child = subprocess.Popen([hog, "solve", game, "--format", "json", "--force"], stdout=subprocess.PIPE, cwd=GAMES)
    answer = json.loads(child.stdout.read())
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"hog solve {game}: status {status}")
    return answer, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def machine():
    cores = len(os.sched_getaffinity(0))
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.machine()
    return f"{cores} cores of {model}"


def row(name, found):
    shown = f"[`{name}`](games/{name}.toml)" if (GAMES / f"{name}.toml").exists() else f"`{name}`"
    ties = f"{found['ties']:,}" + (f", {found['open']:,} open" if found["open"] else "")
    return (
        f"| {shown} | {found['first']:.10f} | {found['states']:,} | {found['numbers']} | {ties} "
        f"| {found['seconds']:.2f} | {found['mebibytes']:.0f} |"
    )


def main():
    hog, *names = sys.argv[1:]
    hog = str(pathlib.Path(hog).resolve())
    listed = subprocess.run([hog, "rules", "list", "--format", "json"], capture_output=True, check=True)
    games = [game["id"] for game in json.loads(listed.stdout)["games"]] + sorted(path.stem for path in GAMES.glob("*.toml"))
    found = json.loads(FOUND.read_text()) if names else {}
    for name in names or games:
        answer, seconds, mebibytes = measured(hog, f"{name}.toml" if (GAMES / f"{name}.toml").exists() else name)
        near = answer.get("near_ties")
        is_exact = answer["arithmetic"] == "exact"
        found[name] = {
            "first": answer["win_rate"]["first"],
            "error_bound": answer["win_rate"]["error_bound"],
            "states": answer["states"],
            "numbers": "exact" if is_exact else "floats",
            "ties": answer["ties"],
            "open": near["open"] if near else 0 if is_exact else answer["ties"],
            "seconds": seconds,
            "mebibytes": mebibytes,
        }
        print(f"{name}: {seconds:.1f} s, {mebibytes:.0f} MiB", flush=True)
        FOUND.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    slowest_first = sorted((name for name in games if name in found), key=lambda name: -found[name]["seconds"])
    bound = max(each["error_bound"] for each in found.values())
    rows = "\n".join(row(name, found[name]) for name in slowest_first)
    PAGE.write_text(HEAD.format(machine=machine()) + rows + "\n" + TAIL.format(bound=bound))


if __name__ == "__main__":
    main()
