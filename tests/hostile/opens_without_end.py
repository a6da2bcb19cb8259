# Opens its own file until no more files can be opened: "Too many open files"
def final_strategy(score, opponent_score):
    files = []
    while True:
        files.append(open(__file__))
