# Computes for ever in one library call that no signal interrupts: "it was stopped after 1 s"
def final_strategy(score, opponent_score):
    return 10 ** 10 ** 9 % 7
