# Computes for ever in one call: "at 5-0: it was stopped after 1 s"
def final_strategy(score, opponent_score):
    while score == 5:
        pass
    return 3
