#!/usr/bin/env python3
"""Confirms the value of a game from both sides with the model checker Storm, in exact rational arithmetic.

`hog solve --to drn` writes the game twice: once with the second player's moves fixed to those of the table, once with
the first player's. In each model Storm computes the best result that the other player can reach. Both numbers must
equal, to the last digit, the fraction that `hog solve --fraction` prints.

Exit status: 0 if both are equal, 1 if one differs, 2 for bad usage or if hog fails, 3 if Storm cannot be installed or
run.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STORMPY = "2.0.0"

# Runs inside the virtual environment: reads one model, solves it, prints one line of JSON.
STORM = """
import json, resource, sys, time
import stormpy
path, formula = sys.argv[1:]
began = time.monotonic()
model = stormpy.build_model_from_drn[stormpy.Rational](path)
read = time.monotonic()
environment = stormpy.environments.exact()
# Without cycles every strongly connected component is a single state, so this method needs no iteration.
environment.solver().min_max().method = stormpy.environments.MinMaxMethod.TOPOLOGICAL
[initial] = model.initial_states
[query] = stormpy.parse_properties(formula)
result = stormpy.model_checking(model, query, environment=environment, only_initial_states=True)
value = result.get_value(initial)
assert isinstance(value, stormpy.Rational), type(value)
print(json.dumps({
    "value": str(value), "states": model.nr_states, "choices": model.nr_choices, "transitions": model.nr_transitions,
    "read": read - began, "solve": time.monotonic() - read,
    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 << (20 if sys.platform == "darwin" else 10)),
}))
"""

# The player whose moves are fixed, and the formula for the best result of the other one.
SIDES = [("second", 'Pmax=? [F "first_wins"]'), ("first", 'Pmin=? [F "first_wins"]')]


class Failure(Exception):
    """An error that ends the program with a message and an exit status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="storm-witness-") as scratch:
        expected = expect(options)
        python = storm(Path(options.venv) if options.venv else Path(scratch) / "venv")
        agreed = [witness(options, python, Path(scratch), expected, side) for side in SIDES]
    return 0 if all(agreed) else 1


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog=__doc__.strip().rsplit("\n\n", 1)[1],
    )
    parser.add_argument("rules", nargs="?", default="fa21", help="a built-in game or a rule file (default: fa21)")
    parser.add_argument("--goal", type=int, metavar="N", help="passed on to hog")
    parser.add_argument("--max-dice", type=int, metavar="N", help="passed on to hog")
    built = Path(__file__).resolve().parent.parent / "target" / "release" / "hog"
    parser.add_argument("--hog", default=built, metavar="PATH", help="the built program (default: target/release/hog)")
    parser.add_argument("--venv", metavar="DIR", help="create the virtual environment in this folder, or reuse it")
    return parser.parse_args()


def hog(options, *arguments):
    """Returns what hog prints for a command on the game."""
    command = [str(options.hog), *arguments]
    for name, value in [("--goal", options.goal), ("--max-dice", options.max_dice)]:
        command += [name, str(value)] if value is not None else []
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Failure(2, f"cannot run {options.hog}: {error}; build it with `cargo build --release --locked`, or name "
                         "it with --hog")
    if done.returncode != 0:
        raise Failure(2, f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.stdout


def expect(options):
    """Solves the game with hog; prints a summary and returns the fraction."""
    began = time.monotonic()
    solved = json.loads(hog(options, "solve", options.rules, "--fraction", "--format", "json"))
    fraction = solved["fraction"]
    numerator, _, denominator = fraction.partition("/")
    print(f"hog: {solved['rules']}, goal {solved['goal']}, at most {solved['max_dice']} dice: the first player wins "
          f"{solved['win_rate']['first']}, exactly a fraction of {len(numerator)} over {len(denominator)} digits "
          f"({time.monotonic() - began:.1f} s)", flush=True)
    return fraction


def storm(folder):
    """Returns the Python of a virtual environment with Storm, which it creates if necessary."""
    python = folder / "bin" / "python"
    version = [str(python), "-c", "import stormpy; print(stormpy.__version__)"]
    if python.exists() and subprocess.run(version, capture_output=True, text=True).stdout.strip() == STORMPY:
        return python
    began = time.monotonic()
    install([sys.executable, "-m", "venv", str(folder)], "create a virtual environment")
    # Only prebuilt packages: Storm must not be compiled here.
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    install([*pip, f"stormpy=={STORMPY}"], f"install stormpy {STORMPY}")
    print(f"storm: stormpy {STORMPY} installed in {folder} ({time.monotonic() - began:.1f} s)", flush=True)
    return python


def install(command, what):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Failure(3, f"cannot {what}: {error}")
    if done.returncode != 0:
        raise Failure(3, f"cannot {what} (it needs the network, and a system and Python that it is built for):\n"
                         f"{(done.stdout + done.stderr).strip()}")


def witness(options, python, scratch, expected, side):
    """Lets Storm solve one model; returns whether its value equals that of hog."""
    fixed, formula = side
    model = scratch / f"{fixed}.drn"
    hog(options, "solve", options.rules, "--to", "drn", "--fix", fixed, "--output", str(model))
    done = subprocess.run([str(python), "-c", STORM, str(model), formula], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(3, f"Storm failed on the model with the {fixed} player fixed: "
                         f"{(done.stdout + done.stderr).strip()}")
    found = json.loads(done.stdout.splitlines()[-1])
    equal = found["value"] == expected
    print(f"storm: {fixed} player fixed, {formula}: {'equal to the last digit' if equal else 'DIFFERENT'}; "
          f"{found['states']} states, {found['choices']} choices, {found['transitions']} transitions, "
          f"read {found['read']:.1f} s, solved {found['solve']:.1f} s, {found['megabytes']} MB", flush=True)
    if not equal:
        print(f"  hog    {expected}\n  storm  {found['value']}")
    return equal


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        sys.exit(failure.status)
