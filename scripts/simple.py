#!/usr/bin/env python3
"""Writes docs/simple.md: what the best decision lists found for every published game lose, by their number of lines.

    python3 scripts/simple.py target/release/hog            writes docs/simple.md, in a quarter of an hour
    python3 scripts/simple.py target/release/hog fa21 pig   these games anew, the others as they are in docs/simple.json

It asks `hog simplify GAME --lines 8` for each game (`--lines 4` in games of a million states) and writes the answers; every loss in them is computed exactly over all games,
and `tests/cli/simplify.rs` compares some with what hog computes. The answers are kept in docs/simple.json.
"""

import json
import pathlib
import subprocess
import sys
import time

SHOWN = [1, 2, 3, 5, 8]
# Games of a million states, in which each further line takes minutes.
LARGE = {"big_pig", "boyan_moore_pig", "double_trouble", "fa19", "great_rolled_ones", "pass_the_pigs", "pig", "sp20", "su20", "two_dice_pig", "two_dice_pig_mild"}
MOST_OF_LARGE = 4
# The most lines where even these would take far too long.
MOST_OF = {"double_trouble": 1, "great_rolled_ones": 3}
ROOT = pathlib.Path(__file__).resolve().parent.parent
ANSWERS = ROOT / "docs/simple.json"
PAGE = ROOT / "docs/simple.md"

HEAD = """\
[//]: # (Made by scripts/simple.py; do not edit.)

# What a strategy to remember loses

How well can a person play who remembers only a few lines? This table has, for every published game, what the best decision list
loses that was found with at most 1, 2, 3, 5 and 8 lines.

* **A line** is "if A and B, roll n dice", with at most two conditions, or the last "otherwise roll n dice". The first line that
  applies decides.
* **A condition** compares one number with a constant: your score, the opponent's, your lead; the points of rolling none, your score
  and your lead after it, what it gains on the opponent, whether it gives another turn; whether your dice, or those it leaves the
  opponent, are six-sided, and how many may be rolled. In Pig and its kin, where rolling none is holding, it may compare the pot
  plus a quarter or an eighth of the lead.
* **The loss** is one half less the average win rate against optimal play, moving first and second: optimal play wins half of the
  games against itself. `hog rate GAME FILE optimal` rates a list that `hog simplify` wrote. In games with memories optimal
  play sees the whole state, but a list only the scores, so some of the loss is the price of that.
* **The lists** come from a search, and a better one may exist: the loss of each list is exact (within {bound} here), the loss
  of the best list is at most that. Where more lines won nothing more, a number is repeated.
* **Not searched for (-)**: in games of a million states each line takes minutes, so that the search ends there with four lines. In
  `double_trouble`, of two million states and with loops of chance, one line takes three minutes of the processor, and three lines
  were not found in six; in `great_rolled_ones`, of six million, the search ends with three lines.

`hog simplify GAME --lines 8` prints the sentences and a `final_strategy` in Python for each row.
"""


def ask(hog, *arguments):
    run = subprocess.run([hog, *arguments, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def answers(hog, names, known):
    """The answers for these games, added to those that are known."""
    for name in names:
        began = time.monotonic()
        asked = MOST_OF.get(name, MOST_OF_LARGE if name in LARGE else SHOWN[-1])
        answer = ask(hog, "simplify", name, "--lines", str(asked))
        known[name] = {
            "asked": asked,
            "loss": [one["loss"] for one in answer["strategies"]],
            "sentences": [one["sentences"] for one in answer["strategies"]],
            "error_bound": answer["win_rate"]["error_bound"],
        }
        print(f"{name}: {time.monotonic() - began:.0f} s, {known[name]['loss'][-1]:.6f}", flush=True)
        ANSWERS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    return known


def of_lines(values, lines):
    """The value for at most so many lines; the search may have ended with fewer."""
    return values[min(lines, len(values)) - 1]


def page(games, known):
    bound = max(answer["error_bound"] for answer in known.values())
    text = [HEAD.format(bound=f"{bound:.0e}")]
    groups = dict.fromkeys(game["group"] for game in games)
    for group in groups:
        text.append(f"## {group}\n")
        text.append("| game | " + " | ".join(f"{lines} line{'s' * (lines > 1)}" for lines in SHOWN) + " |")
        text.append("|---" * (1 + len(SHOWN)) + "|")
        for game in games:
            if game["group"] == group:
                answer = known.get(game["id"], {"asked": 0})
                asked = [of_lines(answer["loss"], lines) if lines <= answer["asked"] else None for lines in SHOWN]
                losses = ["-" if loss is None else f"{loss:.6f}" for loss in asked]
                text.append(f"| `{game['id']}` | " + " | ".join(losses) + " |")
        text.append("")
    text.append("## The lists of three lines\n")
    for game in (game for game in games if known.get(game["id"], {"asked": 0})["asked"] >= 3):
        sentences = of_lines(known[game["id"]]["sentences"], 3)
        text.append(f"**`{game['id']}`**, {game['title']}:\n")
        text += [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)]
        text.append("")
    return "\n".join(text)


def main():
    hog, *names = sys.argv[1:]
    games = ask(hog, "rules", "list")["games"]
    known = json.loads(ANSWERS.read_text()) if names else {}
    known = answers(hog, names or [game["id"] for game in games], known)
    PAGE.write_text(page(games, known))


if __name__ == "__main__":
    main()
