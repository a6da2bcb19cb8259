# Runs a program from a file in memory: "not permitted"
import os
def final_strategy(score, opponent_score):
    number = os.memfd_create('program')
    os.write(number, open('/usr/bin/true', 'rb').read())
    os.execv(f'/proc/self/fd/{number}', ['true'])
    return 3
