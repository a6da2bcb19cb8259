# Leaves its folder through `..`: "PermissionError", "FileNotFoundError"
def final_strategy(score, opponent_score):
    return len(open('../' * 20 + '@OUTSIDE@/secret').read()) and 3
