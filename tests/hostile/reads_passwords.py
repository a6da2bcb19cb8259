# Reads the system's list of users: "PermissionError", "FileNotFoundError"
def final_strategy(score, opponent_score):
    return len(open('/etc/passwd').read()) and 3
