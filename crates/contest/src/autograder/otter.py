# A test file of Otter-Grader, made by hog: it asks final_strategy for its rolls at all scores, and hog grades them.
# https://otter-grader.readthedocs.io/en/latest/test_files/python_format.html
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from otter.test_files import test_case

OK_FORMAT = False

name = "final_strategy"


@functools.lru_cache(maxsize=None)
def graded(final_strategy):
    here = pathlib.Path("hog").resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # Archives do not keep which files are programs.
        program = shutil.copy(here / "hog", folder / "program")
        os.chmod(program, 0o755)
        scores = range(@GOAL@)
        rows = [[int(final_strategy(score, opponent)) for opponent in scores] for score in scores]
        submission, results = folder / "final_strategy.txt", folder / "results.json"
        submission.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
        arguments = [word.replace("$source", str(here)) for word in @ARGUMENTS@]
        arguments = [str(submission) if word == "$submission" else word for word in arguments]
        subprocess.run([program, "grade", *arguments, "-o", results], capture_output=True)
        return json.loads(results.read_text())


def check(final_strategy, step):
    assert callable(final_strategy), "the notebook does not define final_strategy"
    results = graded(final_strategy)
    tests = results["tests"]
    texts = [test["name"] + "\n" + test["output"] for test in tests if "status" not in test]
    assert tests[step]["status"] == "passed", "\n\n".join([results["output"], *texts])
