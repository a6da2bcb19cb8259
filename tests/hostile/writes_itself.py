# Changes its own file: "PermissionError"
def final_strategy(score, opponent_score):
    open(__file__, 'a').write('# more')
    return 3
