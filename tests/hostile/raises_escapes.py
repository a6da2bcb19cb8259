# Puts escape sequences and newlines into the message through the text of an exception: "ValueError:  [2J owned"
def final_strategy(score, opponent_score):
    raise ValueError('\x1b[2J\nowned')
