# Makes system calls directly, without Python's modules: "[-1, -1, -1, -1, -1, -1]"
import ctypes, os
def final_strategy(score, opponent_score):
    libc = ctypes.CDLL(None)
    tried = [libc.socket(2, 1, 0), libc.fork(), libc.syscall(62, os.getppid(), 9), libc.syscall(425, 8, 0)]
    raise Exception(tried + [libc.mount(b'none', b'/', b'tmpfs', 0, 0), libc.chroot(b'/')])
