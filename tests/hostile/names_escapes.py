# Has the name of an exception carry a new line into the message: "it raises a b"
def final_strategy(score, opponent_score):
    raise type('a\nb', (Exception,), {})()
