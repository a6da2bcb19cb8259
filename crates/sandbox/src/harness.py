# Calls a function for every pair of numbers below a limit and writes its answers to standard output.
#
# Its input has ten lines (a secret, the function's name, the file's name, the limit, "rows" or "scattered",
# the conditions, folders of packages, the file's own folder, modules as NAME:TEXT, and an empty line), with the names of
# files and folders and the texts of modules in hexadecimal digits, and then the file's text. Each line of the output begins with the secret, so that
# other output of the file is not taken for an answer: "loaded", some answers, "random" with the call that drew the
# first random number, "done", or a fault as "!KIND" with fields in hexadecimal digits. What the file prints goes to
# standard error.
#
# The conditions say what the clock shows and which random numbers come: "first" and "second" differ in both, "seeded" is a
# fixed seed, and "traced" is as "second", but records where the first random number is drawn. Under the same conditions a
# function finds the same in every run.
def _ask(data):
    # Whoever has read the data has seen to it that these modules do not come from the strategy's folder.
    import _ast, _signal, operator, os, sys, time

    channel, write, leave = os.dup(1), os.write, os._exit
    os.dup2(2, 1)
    secret, name, path, below, order, conditions, packages, folder, modules, _, source = data.split(b'\n', 10)
    unhex = lambda digits: bytes.fromhex(digits.decode()).decode('utf-8', 'surrogateescape')
    name, path, below, folder = name.decode(), unhex(path), int(below), unhex(folder)
    sys.path += [unhex(package) for package in packages.split(b',') if package]
    index, text, show, kind_of, is_a, size = operator.index, str, repr, type, isinstance, len
    frame_of, can_be_called, numbers = sys._getframe, callable, range
    integer, boolean, memory, anything = int, bool, MemoryError, BaseException
    octets, whole = bytes, int.from_bytes
    # In a root directory of its own a strategy does not find the files that it may not read.
    forbidden = PermissionError, FileNotFoundError, ImportError
    not_found, wrong_type = ModuleNotFoundError, TypeError
    module_of, known_modules, no_time = type(sys), sys.modules, getattr(_signal, 'SIGXCPU', None)
    answers, drawn, batch, clock = [], [], 100, time.monotonic
    is_other = conditions in (b'second', b'traced')

    def send(line):
        write(channel, secret + line + b'\n')

    def flush():
        line = b' '.join([b'%d' % answer for answer in answers])
        answers.clear()
        if line:
            send(line)

    # Leaves out what differs between runs: addresses, and where the strategy's folder is. Files are named as seen from
    # there.
    def same_in_every_run(words):
        words, *others = words.split(' at 0x')
        words += ''.join([other.lstrip('0123456789abcdefABCDEF') for other in others])
        place, upwards = path.rpartition('/')[0], ''
        while place.count('/') > 1:
            words = words.replace(place + '/', upwards).replace(place + "'", (upwards or '.') + "'")
            place, upwards = place.rpartition('/')[0], upwards + '../'
        return words

    def shortened(words, longest):
        words = same_in_every_run(words)
        return words if size(words) <= longest else words[:longest] + '\u2026'

    def encoded(fields):
        return [shortened(text(field), 400).encode('utf-8', 'replace').hex().encode() for field in fields]

    def fault(kind, *fields):
        flush()
        send(b' '.join([b'!' + kind, *encoded(fields)]))
        leave(0)

    def shown(value):
        try:
            return shortened(show(value), 60)
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
            named, count = code.co_varnames, code.co_argcount
            only = named[count:count + code.co_kwonlyargcount]
            rest = named[count + code.co_kwonlyargcount:]
            takes = named[:count]
            if code.co_flags & 4:
                takes += ('*' + rest[0],)
                rest = rest[1:]
            elif only:
                takes += ('*',)
            takes += only
            if code.co_flags & 8:
                takes += ('**' + rest[0],)
            fault(b'arguments', code.co_firstlineno, ', '.join(takes))

    # The line of the strategy's own function, and where in another function of the file it was called from there.
    def late(number, frame):
        inner = outer = None
        while frame is not None:
            if frame.f_code.co_filename == path and frame.f_code.co_name != '_with_numbers_given':
                inner, outer = inner or frame, frame
            frame = frame.f_back
        if inner is outer:
            fault(b'late', outer.f_lineno if outer is not None else 0)
        fault(b'late', outer.f_lineno, inner.f_code.co_name, inner.f_lineno)

    def parts_of(node):
        yield node
        for field in node._fields:
            value = getattr(node, field, None)
            for part in value if is_a(value, list) else (value,):
                if hasattr(part, '_fields'):
                    yield from parts_of(part)

    # The `while` loops of the file whose conditions read constants and plain variables alone that the loop does not set, and
    # out of which no way leads. An exception may end a loop where it is caught.
    def loops_without_end():
        ways_out = {'Break', 'Return', 'Raise', 'Assert', 'Yield', 'YieldFrom', 'Await'}
        plain = {'Constant', 'Name', 'Compare', 'BoolOp', 'UnaryOp', 'BinOp'}
        nodes = [*parts_of(compile(source, path, 'exec', _ast.PyCF_ONLY_AST, dont_inherit=True))]
        if any([kind_of(node).__name__ in ('Try', 'TryStar', 'With') for node in nodes]):
            return
        for loop in [node for node in nodes if kind_of(node).__name__ == 'While']:
            kinds = {kind_of(part).__name__ for part in parts_of(loop.test) if hasattr(part, 'lineno')}
            read = {part.id for part in parts_of(loop.test) if hasattr(part, 'id')}
            parts = [*parts_of(loop)]
            set_in_loop = {part.id for part in parts if hasattr(part, 'id') and kind_of(part.ctx).__name__ != 'Load'}
            leaves = any([kind_of(part).__name__ in ways_out for part in parts])
            if not leaves and kinds <= plain and not read & set_in_loop:
                yield loop

    # Whether nothing ends this loop without an end, in which a frame is: its condition is true, and reads variables of this
    # frame alone.
    def is_endless(loop, frame):
        own = set(frame.f_code.co_varnames).difference(frame.f_code.co_cellvars)
        values = {name: value for name, value in frame.f_locals.items() if name in own}
        for part in parts_of(loop.test):
            if hasattr(part, 'id') and kind_of(values.get(part.id)) not in (integer, boolean, float, text):
                return False
        return eval(compile(_ast.Expression(loop.test), path, 'eval'), {}, values)

    # Looks for a loop around a frame that never ends.
    def look_for_loop(frame):
        loops = [*loops_without_end()]
        while frame is not None:
            for loop in loops if frame.f_code.co_filename == path else ():
                if loop.lineno <= frame.f_lineno <= loop.body[-1].end_lineno and is_endless(loop, frame):
                    fault(b'endless', loop.lineno)
            frame = frame.f_back

    # When the strategy has computed for a while. It may be deep in a recursion, or short of memory: that is not to be seen
    # in it.
    def asked(number, frame):
        try:
            look_for_loop(frame)
        except anything:
            pass

    # Where no signals come, a file with a loop without an end is asked by its own steps, after each two seconds.
    def ask_by_steps():
        passes, asks_next = [0], [clock() + 2]
        def watch(frame, event, argument):
            passes[0] += 1
            if passes[0] % 1000 == 0 and clock() > asks_next[0]:
                asks_next[0] = clock() + 2
                asked(0, frame)
            return watch
        sys.settrace(lambda frame, event, argument: watch if frame.f_code.co_filename == path else None)

    # Whether the strategy's folder has this module as a file that it may read.
    def has_its_own(module):
        for end in ('.py', '/__init__.py'):
            try:
                os.close(os.open(folder + '/' + module + end, os.O_RDONLY))
                return True
            except OSError:
                pass
        return False

    # The modules that the caller hands over, except those that are beside the strategy.
    def stand_ins():
        for stand_in in modules.split(b',') if modules else ():
            called, text_of_module = stand_in.decode().split(':')
            if not (folder and has_its_own(called)):
                module = module_of(called)
                exec(compile(unhex(text_of_module.encode()), '<' + called + '>', 'exec'), module.__dict__)
                known_modules[called] = module

    # The clock stands still. Each reading is a millisecond later than the one before, so that loops that wait for it end;
    # every question begins at the same time. Native code still reads the system's clock.
    ticks = [0]

    # 3 February 2001, 4:05:06, and 10 March 2006, 9:06:17. Each field is odd in one and even in the other, and the
    # numbers of nanoseconds, microseconds, ... days differ by no multiple of a number from 2 to 16.
    began = 1141981577010011012 if is_other else 981173106007008009

    def now():
        ticks[0] += 1
        return began + ticks[0] * 1000000

    def stop_clock():
        # Those that count from an arbitrary start, and those that count what this process has used.
        since_start, used = lambda: now() - 980000000000000000, lambda: now() - began
        clocks = dict(time=now, monotonic=since_start, perf_counter=since_start, process_time=used, thread_time=used)
        def in_seconds(clock):
            return lambda: clock() / 1e9
        for called, clock in clocks.items():
            setattr(time, called, in_seconds(clock))
            setattr(time, called + '_ns', clock)
        kinds = {getattr(time, 'CLOCK_REALTIME', 0): now}
        kinds.update({getattr(time, 'CLOCK_%s_CPUTIME_ID' % whose, -1): used for whose in ('PROCESS', 'THREAD')})
        time.clock_gettime = lambda kind: kinds.get(kind, since_start)() / 1e9
        time.clock_gettime_ns = lambda kind: kinds.get(kind, since_start)()
        def told(convert):
            return lambda seconds=None: convert(now() / 1e9 if seconds is None else seconds)
        for called in ('localtime', 'gmtime', 'ctime'):
            setattr(time, called, told(getattr(time, called)))
        asctime, strftime, local = time.asctime, time.strftime, time.localtime
        time.asctime = lambda moment=None: asctime(local() if moment is None else moment)
        time.strftime = lambda form, moment=None: strftime(form, local() if moment is None else moment)
        # Its result tells the number of the process.
        if hasattr(time, 'pthread_getcpuclockid'):
            del time.pthread_getcpuclockid
        if hasattr(os, 'times'):
            times, of_times = os.times, os.times_result
            os.times = lambda: of_times((used() / 1e9, 0.0, 0.0, 0.0, since_start() / 1e9))

    def stop_clock_of_datetime(datetime):
        def stopped(real, **methods):
            class Stopped(kind_of):
                def __instancecheck__(cls, value):
                    return is_a(value, real) if cls is still else kind_of.__instancecheck__(cls, value)
                def __subclasscheck__(cls, other):
                    return issubclass(other, real) if cls is still else kind_of.__subclasscheck__(cls, other)
            methods = {called: classmethod(method) for called, method in methods.items()}
            still = Stopped(real.__name__, (real,), dict(methods, __module__='datetime'))
            return still
        utc = datetime.timezone.utc
        datetime.date = stopped(datetime.date, today=lambda cls: cls.fromtimestamp(now() / 1e9))
        datetime.datetime = stopped(
            datetime.datetime,
            now=lambda cls, tz=None: cls.fromtimestamp(now() / 1e9, tz),
            today=lambda cls: cls.fromtimestamp(now() / 1e9),
            utcnow=lambda cls: cls.fromtimestamp(now() / 1e9, utc).replace(tzinfo=None),
        )

    # Random bytes as from the system, but the same in every run. Under the first two conditions each bit differs.
    random_bits = [88172645463325252]

    def draw_bytes(count):
        bits, drawn_bytes = random_bits[0], []
        for _ in numbers(count):
            bits ^= (bits << 13) & 0xffffffffffffffff
            bits ^= bits >> 7
            bits ^= (bits << 17) & 0xffffffffffffffff
            drawn_bytes.append((bits >> 32) & 255 ^ (255 if is_other else 0))
        random_bits[0] = bits
        return octets(drawn_bytes)

    # With these seeds the first draws of most kinds differ: halves, parities, choices among two to ten.
    number = 0 if conditions == b'seeded' else 15 if is_other else 13

    def seed_random(random):
        seed_with = random.Random.seed
        def seed(self, a=None, version=2):
            seed_with(self, whole(draw_bytes(16), 'big') if a is None else a, version)
        random.Random.seed = seed
        random.seed = random._inst.seed
        random.seed(number)

    def seed_numpy(random):
        random.seed(number)

    # Changes modules of the library when they are imported, since importing them takes time.
    changes = {'datetime': stop_clock_of_datetime, 'random': seed_random, 'numpy.random': seed_numpy}

    class Changing:
        @staticmethod
        def find_spec(name, path=None, target=None):
            change = changes.pop(name, None)
            for finder in finders if change else ():
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    of_strategy = folder and (spec.origin or '').startswith(folder + '/')
                    # A class would load other modules as well.
                    if spec.loader and not of_strategy and not is_a(spec.loader, kind_of):
                        load = spec.loader.exec_module
                        def load_and_change(module):
                            load(module)
                            change(module)
                        spec.loader.exec_module = load_and_change
                    return spec

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
    stop_clock()
    for random_source in ('urandom', 'getrandom'):
        if hasattr(os, random_source):
            setattr(os, random_source, (lambda count, flags=0: draw_bytes(count)))
            setattr(known_modules[os.name], random_source, getattr(os, random_source))
    finders = list(sys.meta_path)
    sys.meta_path.insert(0, Changing)
    if b'random' in source:
        # From the library, even if the strategy's folder has a module of this name.
        import random
    if conditions == b'traced':
        trace()
    if no_time is not None:
        _signal.signal(no_time, late)
        _signal.signal(_signal.SIGURG, asked)
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
        if sys.platform in ('emscripten', 'win32') and [*loops_without_end()]:
            ask_by_steps()
    except anything:
        pass
    try:
        exec(code, module.__dict__)
    except anything as error:
        failed(error)
    strategy = module.__dict__.get(name)
    if not can_be_called(strategy):
        function = kind_of(late)
        functions = [(key, value) for key, value in module.__dict__.items() if is_a(value, function)]
        # Dice and the like take no scores.
        required = lambda value: value.__code__.co_argcount - size(value.__defaults__ or ())
        takes_scores = [key for key, value in functions if required(value) > 1]
        known = takes_scores or [key for key, _ in functions]
        # Only plain classes: those of a strategy's own metaclass may run its code when they are examined.
        classes = [key for key, value in module.__dict__.items() if kind_of(value) is kind_of and name in value.__dict__]
        found = kind_of(strategy).__name__ if name in module.__dict__ else 'method' if classes else ''
        fault(b'missing', ', '.join(known), found)
    send(b'loaded')

    cells, loaded = below * below, ticks[0] + 1000
    step = 7919 if cells % 7919 else 7907
    scattered = order == b'scattered'
    for place in numbers(cells):
        cell = (place * step + 1) % cells if scattered else place
        ticks[0] = loaded
        try:
            answer = strategy(cell // below, cell % below)
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
        if not -999999999 <= answer <= 999999999:
            fault(b'range', shown(answer))
        answers.append(answer)
        if size(answers) == batch:
            flush()
    flush()
    for called, line in drawn:
        send(b' '.join([b'random', *encoded([called, line])]))
    send(b'done')
    leave(0)
