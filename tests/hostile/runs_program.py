# Runs a program: "PermissionError"
import subprocess
def final_strategy(score, opponent_score):
    return subprocess.run(['/bin/true']).returncode + 3
