# Leaves a file in its own folder: "PermissionError"
def final_strategy(score, opponent_score):
    open('left_behind.txt', 'w').write('for the next one')
    return 3
