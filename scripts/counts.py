#!/usr/bin/env python3
"""Counts what makes code hard to read, and fails if there is more of it than before.

For each crate: functions that are written inside functions and have a name (`let f = |x| …`), values assigned in pairs
(`let (a, b) = (x, y);`), tuple parameters, functions of more than 50 lines, limits as constants of their own, and lines past 100
columns. Tests do not count. The counts that are allowed are in `.ci/counts.json`: they may fall, and then `--write` lowers them.
Whoever must raise one edits the file and says why in `why`.

    python3 scripts/counts.py            compare; exit status 1 if a count is higher than allowed
    python3 scripts/counts.py --files    the files with most of each
    python3 scripts/counts.py --write    lower the counts to what they are
"""

import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWED = ROOT / ".ci/counts.json"
PATTERNS = {
    "closures with a name": r"\blet (?:mut )?\w+\s*(?::[^=;]+)?=\s*(?:move )?\|",
    "pairs": r"\blet \((?:[^()=]|\([^()]*\))*\)\s*(?::[^=;]+)?=\s*\(",
    "tuple parameters": r"\((?:mut )?[a-z_]\w*(?:, (?:mut )?[a-z_]\w*)+\): \(",
    "limits as constants": r"\bconst (?:MOST|LARGEST|LONGEST)_?\w*",
}
LITERAL = re.compile(r'b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\n\']+|[^\\\'\n])\'', re.S)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TEST = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]")


def end_of_item(code, start):
    """Returns where the item that begins at `start` ends."""
    depth = 0
    for place in range(start, len(code)):
        if code[place] in "{([":
            depth += 1
        elif code[place] in "})]":
            depth -= 1
            if depth == 0 and code[place] == "}":
                return place + 1
        elif code[place] == ";" and depth == 0:
            return place + 1
    return len(code)


def production(text):
    """Returns the code without tests, comments and the contents of literals."""
    code = COMMENT.sub("", LITERAL.sub('""', re.sub(r"(?m)^\s*//.*$", "", text)))
    while found := TEST.search(code):
        code = code[: found.start()] + code[end_of_item(code, found.end()) :]
    return code


def long_functions(code):
    count = 0
    for found in re.finditer(r"\bfn\s+\w+", code):
        body = code[found.end() : end_of_item(code, found.end())]
        count += body.count("\n") > 50
    return count


def counted(path):
    """Returns the counts of a file."""
    text = path.read_text(encoding="utf-8")
    counts = collections.Counter({"lines past 100 columns": sum(len(line) > 100 for line in text.splitlines())})
    if {"tests", "benches"} & set(path.parts) or path.name == "tests.rs":
        return counts
    code = production(text)
    counts.update({name: len(re.findall(pattern, code)) for name, pattern in PATTERNS.items()})
    counts["functions over 50 lines"] = long_functions(code)
    return counts


def main():
    files = {}
    for path in [*ROOT.glob("src/**/*.rs"), *ROOT.glob("crates/**/*.rs")]:
        files[str(path.relative_to(ROOT))] = counted(path)
    crates = collections.defaultdict(collections.Counter)
    for name, counts in files.items():
        crates["/".join(name.split("/")[:2]) if name.startswith("crates") else "src"].update(counts)
    if "--files" in sys.argv:
        for what in [*PATTERNS, "functions over 50 lines", "lines past 100 columns"]:
            worst = sorted(files, key=lambda name: -files[name][what])[:12]
            print(what, sum(counts[what] for counts in files.values()))
            print(*(f"  {files[name][what]:>4} {name}" for name in worst if files[name][what]), sep="\n")
        return 0
    known = json.loads(ALLOWED.read_text(encoding="utf-8")) if ALLOWED.exists() else {"why": {}, "allowed": {}}
    faults = []
    for crate, counts in sorted(crates.items()):
        allowed = known["allowed"].get(crate, {})
        for what, count in counts.items():
            if count > allowed.get(what, 0):
                faults.append(f"{crate}: {count} {what}, at most {allowed.get(what, 0)} (python3 scripts/counts.py --files)")
    if "--write" in sys.argv:
        known["allowed"] = {crate: {what: n for what, n in counts.items() if n} for crate, counts in sorted(crates.items())}
        ALLOWED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        return 0
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
