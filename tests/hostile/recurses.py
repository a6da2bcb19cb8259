# Recurses for ever: "RecursionError"
def final_strategy(score, opponent_score):
    return final_strategy(score, opponent_score)
