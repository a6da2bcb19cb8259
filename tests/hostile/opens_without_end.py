# Opens its own file until nothing more can be opened: "Too many open files"
def final_strategy(score, opponent_score):
    files = []
    while True:
        files.append(open(__file__))
