"""Compares distributions of `hog dice N --die S --of FORMULA` with those of Icepool: python compare.py HOG."""

import json
import subprocess
import sys

import icepool

#: Each formula, and the same quantity in Icepool.
SINGLE = {
    "sum": lambda pool: pool.sum(),
    "highest": lambda pool: pool.highest(1).sum(),
    "lowest": lambda pool: pool.lowest(1).sum(),
    "distinct": lambda pool: pool.unique().size(),
    "of_a_kind": lambda pool: pool.largest_count(),
    "pairs": lambda pool: (pool // 2).size(),
    "straight": lambda pool: pool.largest_straight(),
    "count(2)": lambda pool: pool.keep_outcomes([2]).size(),
}


@icepool.multiset_function
def _joint(pool):
    return pool.highest(1).sum(), pool.lowest(1).sum(), (pool // 2).size(), pool.largest_straight(), pool.sum()


JOINT = {
    "highest + 100 * lowest + 10000 * pairs + 1000000 * straight + 100000000 * sum":
        lambda high, low, pairs, run, sum: high + 100 * low + 10**4 * pairs + 10**6 * run + 10**8 * sum,
    "pairs == 2 && straight < 3 ? 2 * sum : highest - lowest":
        lambda high, low, pairs, run, sum: 2 * sum if pairs == 2 and run < 3 else high - low,
}


def main(hog: str) -> int:
    checked = 0
    for sides, dice in [(s, n) for s in (2, 4, 6, 8) for n in range(1, 8)] + [(6, 10), (12, 4)]:
        pool = icepool.d(sides).pool(dice)
        wanted = {formula: of(pool) for formula, of in SINGLE.items()}
        if dice <= 5:
            joint = _joint(pool)
            wanted |= {formula: joint.map(lambda seen, of=of: of(*seen), star=False) for formula, of in JOINT.items()}
        for formula, die in wanted.items():
            command = [hog, "dice", str(dice), "--die", str(sides), "--of", formula, "--format", "json"]
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            found = {row["value"]: int(row["count"]) for row in answer["values"]}
            scale = int(answer["rolls"]) // die.denominator()
            expected = {int(value): count * scale for value, count in die.items() if count}
            assert found == expected, f"{formula} of {dice}d{sides}: {found}, not {expected}"
            checked += 1
    print(f"{checked} distributions agree")
    return 0 if checked >= 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
