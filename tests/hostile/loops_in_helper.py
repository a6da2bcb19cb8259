# Calls a function in a loop that it never leaves: "at 5-0: it was stopped after 1 s in line 10, in `brawl`, line 4"
def brawl(score, opponent):
    for digit in range(100_000_000):
        digit += score + opponent
    return 1


def final_strategy(score, opponent_score):
    rolled = 3
    while score == 5 and brawl(score, opponent_score) < 11:
        rolled = rolled
    return rolled
