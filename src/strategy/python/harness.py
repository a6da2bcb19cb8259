# Calls a strategy for every pair of scores and writes its answers to standard output.
#
# Standard input has nine lines (a secret, the function's name, the file's name, the goal, "rows" or "scattered",
# "free", "seeded" or "traced", folders of packages, the file's own folder, and an empty line), with the names of files
# and folders in hexadecimal digits, and then the file's text. Each line of the output begins with the secret, so that
# other output of the strategy is not taken for an answer: "loaded", some answers, "random" with the call that drew the
# first random number, "done", or a fault as "!KIND" with fields in hexadecimal digits. What the strategy prints goes to
# standard error.
def _ask():
    import sys

    # While this program imports its modules, none of them can come from the strategy's folder.
    sys.path[:] = [folder for folder in sys.path if folder]
    import _signal, operator, os

    channel, write, leave = os.dup(1), os.write, os._exit
    os.dup2(2, 1)
    data = b''
    while True:
        part = os.read(0, 1 << 20)
        if not part:
            break
        data += part
    secret, name, path, goal, order, mode, packages, folder, _, source = data.split(b'\n', 9)
    unhex = lambda digits: bytes.fromhex(digits.decode()).decode('utf-8', 'surrogateescape')
    name, path, goal, folder = name.decode(), unhex(path), int(goal), unhex(folder)
    sys.path += [unhex(package) for package in packages.split(b',') if package]
    index, text, show, kind_of, is_a, size = operator.index, str, repr, type, isinstance, len
    frame_of, can_be_called, numbers = sys._getframe, callable, range
    integer, boolean, memory, anything = int, bool, MemoryError, BaseException
    # In a root directory of its own a strategy does not find the files that it may not read.
    forbidden = PermissionError, FileNotFoundError, ImportError
    not_found, wrong_type = ModuleNotFoundError, TypeError
    module_of, known_modules, no_time = type(sys), sys.modules, getattr(_signal, 'SIGXCPU', None)
    answers, drawn, batch = [], [], 100

    def send(line):
        write(channel, secret + line + b'\n')

    def flush():
        line = b' '.join([b'%d' % answer for answer in answers])
        answers.clear()
        if line:
            send(line)

    def encoded(fields):
        return [text(field)[:300].encode('utf-8', 'replace').hex().encode() for field in fields]

    def fault(kind, *fields):
        flush()
        send(b' '.join([b'!' + kind, *encoded(fields)]))
        leave(0)

    def shown(value):
        try:
            return show(value)[:60]
        except anything:
            return 'an unshowable ' + kind_of(value).__name__

    def line_of(error):
        trace, line = error.__traceback__, 0
        while trace is not None:
            code = trace.tb_frame.f_code
            # The function that passes keyword arguments was appended, and is not part of the file.
            if code.co_filename == path and code.co_name != "_with_numbers_given":
                line = trace.tb_lineno
            trace = trace.tb_next
        return line

    def line_in(frame):
        while frame is not None and frame.f_code.co_filename != path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else 0

    def failed(error):
        kind = kind_of(error)
        if is_a(error, memory):
            fault(b'memory')
        try:
            message = text(error)
        except anything:
            message = ''
        message = kind.__name__ + (': ' + ' '.join(message.split()) if message else '')
        if is_a(error, not_found):
            fault(b'module', line_of(error), message, error.name)
        fault(b'forbidden' if is_a(error, forbidden) else b'raised', line_of(error), message)

    # If the strategy cannot be called with its arguments, reports the names of those that it takes.
    def mismatched(error):
        function, trace = strategy, error.__traceback__.tb_next
        if name == '_with_numbers_given' and trace is not None:
            # The function that is called by the appended one.
            function, trace = module.__dict__.get(strategy.__code__.co_names[0]), trace.tb_next
        if trace is None and is_a(function, kind_of(late)):
            code = function.__code__
            takes = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
            fault(b'arguments', code.co_firstlineno, ', '.join(takes))

    def late(number, frame):
        fault(b'late', line_in(frame))

    # Whether the strategy's folder has this module as a file that it may read.
    def has_its_own(module):
        for end in ('.py', '/__init__.py'):
            try:
                os.close(os.open(folder + '/' + module + end, os.O_RDONLY))
                return True
            except OSError:
                pass
        return False

    # Replacements for those of the course's modules that are not beside the strategy. They import `random` only when
    # they draw.
    def stand_ins():
        def make_fair_dice(sides):
            def die():
                import random
                return random.randint(1, sides)
            return die
        def make_test_dice(*outcomes):
            rolls = list(outcomes)
            def die():
                rolls.append(rolls.pop(0))
                return rolls[-1]
            return die
        def same(function, *others):
            return function
        def nothing(*others):
            return None
        dice = module_of('dice')
        dice.make_fair_dice, dice.make_test_dice = make_fair_dice, make_test_dice
        dice.four_sided = dice.four_sided_dice = make_fair_dice(4)
        dice.six_sided = dice.six_sided_dice = make_fair_dice(6)
        dice.eight_sided = make_fair_dice(8)
        ucb = module_of('ucb')
        ucb.main = ucb.trace = ucb.trace1 = same
        ucb.interact = ucb.log_current_line = nothing
        for stand_in in (dice, ucb):
            if not (folder and has_its_own(stand_in.__name__)):
                known_modules[stand_in.__name__] = stand_in

    # Makes random numbers the same in every process that is given this number.
    def seed(number):
        import random
        random.seed(number)
        if b'numpy' in source:
            try:
                import numpy
                numpy.random.seed(number)
            except ImportError:
                pass

    # Records the call that draws the first random number, and its line.
    def trace():
        import random
        def remembering(called, function):
            def wrapped(*values, **named):
                if not drawn:
                    drawn.append((called, line_in(frame_of(1))))
                return function(*values, **named)
            return wrapped
        for called in dir(random):
            if getattr(getattr(random, called), '__self__', None) is random._inst:
                setattr(random, called, remembering('random.' + called, getattr(random, called)))
        random.Random.__init__ = remembering('random.Random', random.Random.__init__)

    stand_ins()
    if mode == b'seeded':
        seed(0)
    elif b'random' in source:
        # It depends on PYTHONHASHSEED: the two processes differ, but each is the same in every run.
        seed(hash('hog') & 0xffffffff)
    if mode == b'traced':
        trace()
    if no_time is not None:
        _signal.signal(no_time, late)
    if folder:
        sys.path.insert(0, folder)
    module = module_of('strategy')
    module.__file__ = path
    # The strategy must not reach this program as `__main__`.
    known_modules.update(strategy=module, __main__=module_of('__main__'))
    sys.argv = [path]
    try:
        source.decode()
    except UnicodeDecodeError as error:
        # Python does not run such a file, although `compile` accepts the bytes in comments.
        if not any(b'coding' in line for line in source.split(b'\n', 2)[:2]):
            line = source.count(b'\n', 0, error.start) + 1
            fault(b'syntax', line, 'the file is not UTF-8, and declares no encoding', 0)
    try:
        code = compile(source, path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = error.lineno if is_a(error, SyntaxError) else 0
        column = error.offset if is_a(error, SyntaxError) else 0
        # An unknown encoding has the place -1 in some versions.
        line, column = [number if number and number > 0 else 0 for number in (line, column)]
        fault(b'syntax', line, getattr(error, 'msg', None) or error, column)
    except anything as error:
        failed(error)
    try:
        exec(code, module.__dict__)
    except anything as error:
        failed(error)
    strategy = module.__dict__.get(name)
    if not can_be_called(strategy):
        function = kind_of(late)
        known = [key for key, value in module.__dict__.items() if is_a(value, function)]
        # Only plain classes: those of a strategy's own metaclass may run its code when they are examined.
        classes = [key for key, value in module.__dict__.items() if kind_of(value) is kind_of and name in value.__dict__]
        fault(b'missing', ', '.join(known), 'method' if classes else '')
    send(b'loaded')

    cells = goal * goal
    step = 7919 if cells % 7919 else 7907
    scattered = order == b'scattered'
    for place in numbers(cells):
        cell = (place * step + 1) % cells if scattered else place
        try:
            answer = strategy(cell // goal, cell % goal)
            if kind_of(answer) is not integer:
                if is_a(answer, boolean):
                    fault(b'kind', shown(answer), kind_of(answer).__name__)
                try:
                    answer = index(answer)
                except TypeError:
                    fault(b'kind', shown(answer), kind_of(answer).__name__)
        except wrong_type as error:
            mismatched(error)
            failed(error)
        except anything as error:
            failed(error)
        if not -99 <= answer <= 99:
            fault(b'range', shown(answer))
        answers.append(answer)
        if size(answers) == batch:
            flush()
    flush()
    for called, line in drawn:
        send(b' '.join([b'random', *encoded([called, line])]))
    send(b'done')
    leave(0)


_ask()
