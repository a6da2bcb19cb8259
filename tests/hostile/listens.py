# Listens on a local socket: "PermissionError"
import socket
def final_strategy(score, opponent_score):
    socket.socket(socket.AF_UNIX).bind('\0hog')
    return 3
