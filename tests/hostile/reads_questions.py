# Reads from standard input: "EOFError"
def final_strategy(score, opponent_score):
    return int(input())
