# Has an exception carry escape sequences and new lines into the message: "ValueError:  [2J owned"
def final_strategy(score, opponent_score):
    raise ValueError('\x1b[2J\nowned')
