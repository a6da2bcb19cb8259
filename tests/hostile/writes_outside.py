# Overwrites a file outside its folder: "PermissionError"
def final_strategy(score, opponent_score):
    open('/@OUTSIDE@/secret', 'w').write('mine')
    return 3
