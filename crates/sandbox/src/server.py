# Starts a process for each run of a strategy: a fork of this one, which has loaded the harness and has read nothing of
# any strategy. The new process waits for its run on the socket at descriptor 0, confines itself, and only then returns the
# run's input. This process waits for it, and writes the status that the system gives it to the socket. Hence it is the same
# before each run.
#
# A run comes as its length in 8 bytes, with one or two descriptors (where answers go, and a ruleset of Landlock), and then
# its text: a line each of numbers of system calls, limits, what is mounted in the own root, which of it is the strategy's
# own, the working directory, the user to become where there is no ruleset, and two filters of system calls; and then the
# input of the harness. The first line of the
# answers is "ready" and the number of the process, or why it could not be confined.
def _serve():
    import sys

    # Neither these modules nor those of the harness come from the working directory.
    sys.path[:] = [folder for folder in sys.path if folder]
    # What the harness imports.
    import _ast, _signal, operator, os, time

    kept = set(sys.modules)
    try:
        import ctypes, _socket
    except ImportError as error:
        os.write(0, ('the interpreter lacks what confines files: %s\n' % error).encode('utf-8', 'replace'))
        os._exit(1)

    # A strategy imports its own modules of these names, if it has some.
    for name in set(sys.modules) - kept:
        del sys.modules[name]
    long, system_call, error_number = ctypes.c_long, ctypes.CDLL(None, use_errno=True).syscall, ctypes.get_errno
    system_call.restype = long
    unhex = lambda digits: bytes.fromhex(digits.decode())
    # The signal that says that the time is over goes to both processes.
    _signal.signal(_signal.SIGXCPU, _signal.SIG_IGN)
    own_number = os.getpid()

    def call(number, *values):
        result = system_call(long(number), *[long(value) if type(value) is int else value for value in values])
        if result == -1:
            raise OSError(error_number(), os.strerror(error_number()))
        return result

    def write_file(path, text):
        file = os.open(path, os.O_WRONLY)
        os.write(file, text)
        os.close(file)

    def received():
        socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, 0)
        length, passed, _, _ = socket.recvmsg(8, _socket.CMSG_SPACE(8))
        if len(length) < 8:
            # There is no other run.
            os._exit(1)
        text = bytearray(int.from_bytes(length, 'little'))
        view, at = memoryview(text), 0
        while at < len(text):
            count = socket.recv_into(view[at:])
            if count == 0:
                os._exit(1)
            at += count
        socket.detach()
        numbers = passed[0][2]
        descriptors = [int.from_bytes(numbers[at:at + 4], sys.byteorder) for at in range(0, len(numbers), 4)]
        return bytes(text), descriptors[0], descriptors[1] if len(descriptors) > 1 else None

    # Makes the root a directory in which nothing exists but what may be read, if the system allows it. Nothing of the path
    # of the strategy's own file or folder may have been replaced by a link since hog looked at it.
    def enter_own_root(calls, mounts, own):
        unshare, mount, open_tree, move_mount, capset = calls
        new_mounts, new_user, new_root = 0x20000, 0x10000000, b'/proc'
        clone = 1 | os.O_CLOEXEC | 0x8000 | 0x1000
        is_in_new_user = False
        try:
            try:
                call(unshare, new_mounts)
            except OSError:
                user, group = os.getuid(), os.getgid()
                call(unshare, new_mounts | new_user)
                is_in_new_user = True
                write_file('/proc/self/setgroups', b'deny')
                write_file('/proc/self/uid_map', b'%d %d 1' % (user, user))
                write_file('/proc/self/gid_map', b'%d %d 1' % (group, group))
            # Mounts of the system still arrive, and those that follow stay here.
            call(mount, None, b'/', None, 0x80000 | 0x4000, None)
            trees = []
            for kind, path in mounts:
                file = os.open(path, os.O_PATH | (os.O_NOFOLLOW if path == own[0] else 0))
                found = os.fstat(file)
                if path == own[0] and (found.st_dev, found.st_ino) != own[1:]:
                    return
                trees.append((kind, path, call(open_tree, file, b'', clone)))
            call(mount, b'none', new_root, b'tmpfs', 2 | 4, b'size=1m,mode=755')
            for kind, path, tree in trees:
                place = new_root + path
                os.makedirs(place if kind == 'd' else os.path.dirname(place), exist_ok=True)
                if kind == 'f':
                    os.close(os.open(place, os.O_WRONLY | os.O_CREAT))
                call(move_mount, tree, b'', -100, place, 4)
            os.chroot(new_root)
            os.chdir('/')
        except OSError:
            pass
        finally:
            # A new user namespace comes with all powers in it. Version 3 of the call's structures; three numbers for
            # each half of the powers.
            if is_in_new_user:
                call(capset, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())

    # With the user go all powers of root, and what only root may read or write.
    def become(user):
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        except OSError as error:
            raise RuntimeError('Landlock is needed, or another user: %s' % error.strerror)

    def confine(calls, limits, mounts, own, folder, user, filters, rules):
        prctl, restrict, seccomp, set_limits, *of_root = calls
        if mounts:
            enter_own_root(of_root, mounts, own)
        # All that is open but the streams and the ruleset.
        os.closerange(3 if rules is None else 4, 1024)
        os.chdir(folder)
        if user:
            become(int(user))
        # The process ends with its parent, which ends with hog.
        call(prctl, 1, _signal.SIGKILL, 0, 0, 0)
        if os.getppid() != own_number:
            os._exit(1)
        for limit in limits:
            call(set_limits, 0, limit[0], (ctypes.c_uint64 * 2)(*limit[1:]), None)
        # Of root's powers at most those remain that let it read its own files.
        for kept in (6, 2, 0) if os.getuid() == 0 else ():
            try:
                call(of_root[-1], (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(kept, kept))
                break
            except OSError:
                pass
        # No program that it might execute has more powers.
        call(prctl, 38, 1, 0, 0, 0)
        if rules is not None:
            try:
                call(restrict, rules, 0)
            except OSError as error:
                raise RuntimeError('Landlock is needed: %s' % error.strerror)
            os.close(rules)
        for program in filters:
            instructions = ctypes.create_string_buffer(program, len(program))
            try:
                call(seccomp, 1, 0, (ctypes.c_uint64 * 2)(len(program) // 8, ctypes.addressof(instructions)))
            except OSError as error:
                raise RuntimeError('seccomp is needed: %s' % error.strerror)

    def begin():
        text, answers, rules = received()
        nothing = os.open('/dev/null', os.O_RDWR)
        # The numbers that were passed are not below 3, where the streams are.
        os.dup2(answers, 1)
        os.dup2(nothing, 0)
        os.dup2(nothing, 2)
        if rules is not None and rules != 3:
            os.dup2(rules, 3)
        numbers = lambda line, between: tuple([int(number) for number in line.split(between)])
        calls, limits, mounts, own, folder, user, *filters, text = text.split(b'\n', 8)
        message = b'ready %d\n' % os.getpid()
        try:
            path, _, place = own.partition(b' ')
            confine(
                numbers(calls, None),
                [numbers(limit, None) for limit in limits.split(b',')],
                [(mount[:1].decode(), unhex(mount[1:])) for mount in mounts.split(b',') if mount],
                (unhex(path), *numbers(place, None)),
                unhex(folder),
                user,
                [unhex(program) for program in filters],
                None if rules is None else 3,
            )
        except BaseException as error:
            message = (' '.join(str(error).split()) or type(error).__name__).encode('utf-8', 'replace') + b'\n'
            os.write(1, message)
            os._exit(1)
        os.write(1, message)
        return text

    while True:
        process = os.fork()
        if process == 0:
            return begin()
        status = os.waitpid(process, 0)[1]
        os.write(0, b'%d\n' % status)
        if status:
            os._exit(0)


_ask(_serve())
