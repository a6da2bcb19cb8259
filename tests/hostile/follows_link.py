# Reads through a link in its own folder: "PermissionError", "FileNotFoundError"
def final_strategy(score, opponent_score):
    return len(open('link').read()) and 3
