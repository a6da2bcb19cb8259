# Reads what comes after the last question: "EOFError"
def final_strategy(score, opponent_score):
    return int(input())
