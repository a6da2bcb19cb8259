# Takes the number of its process from the clock of its thread: "AttributeError"
import time, _thread
number = ~(time.pthread_getcpuclockid(_thread.get_ident()) >> 3)
def final_strategy(score, opponent_score):
    return 1 + number // 50 % 10
