# Puts a newline into the message through the name of an exception: "it raises a b"
def final_strategy(score, opponent_score):
    raise type('a\nb', (Exception,), {})()
