# Comes with modules that are named like those of the library: plays 1
def final_strategy(score, opponent_score):
    return 1
