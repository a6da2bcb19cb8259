# Puts the path of its folder, which may be a temporary one, into the message: "No such file or directory: 'deeper/missing' in line 5"
import os
here = os.path.dirname(os.path.abspath(__file__))
def final_strategy(score, opponent_score):
    open(os.path.join(here, 'deeper', 'missing'))
