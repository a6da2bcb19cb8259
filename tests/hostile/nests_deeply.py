# Compiles a formula that is nested too deeply for the stack: "more than 1024 MiB", "RecursionError", "crashes"
text = '-' * 3000000 + '1'
def final_strategy(score, opponent_score):
    return eval(text)
