# Imports a file from outside through a link in its own folder: "PermissionError", "ModuleNotFoundError", "FileNotFoundError"
import linked
def final_strategy(score, opponent_score):
    return 3
