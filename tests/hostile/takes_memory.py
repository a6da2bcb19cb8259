# Allocates more memory than there is: "it takes more than 1024 MiB of memory"
def final_strategy(score, opponent_score):
    return len([0] * (10 * 2 ** 30)) and 3
