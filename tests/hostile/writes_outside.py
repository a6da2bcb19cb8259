# Overwrites a file: "PermissionError"
def final_strategy(score, opponent_score):
    open('/@OUTSIDE@/secret', 'w').write('mine')
    return 3
