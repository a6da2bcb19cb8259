# Reads the metadata of a file outside its folder, where the kernel lets hog hide it: plays 1
import os
def final_strategy(score, opponent_score):
    try:
        os.stat('/@OUTSIDE@/secret')
        return 3
    except OSError:
        return 1
