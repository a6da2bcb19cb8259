# Crashes the interpreter: "signal 11"
import ctypes
def final_strategy(score, opponent_score):
    ctypes.string_at(0)
