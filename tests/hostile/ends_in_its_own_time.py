# Registers exit handlers and finalizers that run for ever: plays 1
import atexit, sys, weakref
class Fighter:
    def __del__(self):
        while True:
            pass
kept = Fighter()
kept.itself = kept
def at_the_end():
    while True:
        pass
atexit.register(at_the_end)
weakref.finalize(kept, at_the_end)
sys.excepthook = sys.unraisablehook = lambda *given: at_the_end()
def final_strategy(score, opponent_score):
    return 1
