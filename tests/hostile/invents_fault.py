# Reports a forged fault with control characters, and one of an unknown kind: "it raises "
import sys
def final_strategy(score, opponent_score):
    asker = sys._getframe(1).f_locals
    text = '\x1b[2J\x07--t\x08rust'.encode().hex().encode()
    asker['write'](asker['channel'], asker['secret'] + b'!raised 31 ' + text + b'\n' + asker['secret'] + b'!x zz\n')
    return 3
