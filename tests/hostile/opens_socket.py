# Opens a network connection: "PermissionError"
import socket
def final_strategy(score, opponent_score):
    socket.create_connection(('127.0.0.1', 80))
    return 3
