//! The functions of the fuzz targets. Each must accept or refuse any bytes without a panic, and
//! asserts properties of what it accepts.
//!
//! `tests/fuzz_corpora.rs` replays the corpora, and mutations of them, through the same functions.

mod contests;
#[path = "request.rs"]
pub mod requests;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use hog::check::{CheckError, Claim, LoopBounds, check};
use hog::game::{Game, GameError, Plan, USUAL_MEMORY, examples::check_examples, most_states};
use hog::pairs::rate;
use hog::rules::formula::{
    FACES_COUNTED, Formula, Scope, TURN_VARIABLES, Type, Variable, VariableSet, Vocabulary,
};
use hog::rules::{Overrides, Rules, load, rules_from_text};
use hog::solve::{Arithmetic, Solution, Watch, best_response, equilibrium};
use hog::strategy::python::{PythonFault, QuestionGrid, read_answers};
use hog::strategy::{Strategy, read_rolls};
use hog::table::{HEADER, Table};
use hog::web::{Server, Settings};

/// The time limit for tabulating a small game.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The largest number of states of a game that is tabulated here.
const MOST_STATES: u64 = 20_000;

/// Reads the text of a rule file, checks its examples and tabulates its game.
pub fn rule_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for goal in [None, Some(6)] {
        let Ok(rules) =
            rules_from_text(text, "fuzz", Overrides { goal, max_dice: goal.map(|_| 2) })
        else {
            continue;
        };
        assert!(rules.differences(&rules).is_empty(), "no game differs from itself");
        let _ = check_examples(&rules, &|| true);
        if most_states(&rules) <= MOST_STATES {
            tabulated(rules);
        }
    }
}

/// Tabulates a game within the time limit; `None` if the rules are faulty.
fn tabulated(rules: Rules) -> Option<Game> {
    let began = Instant::now();
    match Game::watched(rules, USUAL_MEMORY, &|| began.elapsed() < TIME_LIMIT) {
        Ok(game) => Some(game),
        Err(GameError::Faulty(_)) => None,
        Err(GameError::Stopped) => panic!("a game of few states takes more than {TIME_LIMIT:?}"),
    }
}

/// Parses a formula; its canonical form must have the same values.
pub fn formula(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let names = Vocabulary::new(&[]);
    let named = TURN_VARIABLES.iter().filter_map(|(name, _)| names.find(name));
    let all: Vec<Variable> = named.chain((1..=FACES_COUNTED).map(Variable::count)).collect();
    let parse = |text: &str, gives| Formula::parse(text, gives, &names, VariableSet::of(&all));
    for gives in [Type::Integer, Type::Boolean, Type::Die] {
        let Ok(formula) = parse(text, gives) else { continue };
        // The canonical form has more brackets, and may be nested too deeply or too long.
        let Ok(again) = parse(&formula.canonical(&names), gives) else { continue };
        for round in 0..4i64 {
            let mut scope = Scope::default();
            all.iter().zip(1..).for_each(|(variable, place)| {
                scope.set(*variable, round * place * 37 % 101 - round)
            });
            for flag in [Variable::BUSTED, Variable::AGAIN] {
                scope.set(flag, round % 2);
            }
            assert_eq!(formula.value(&scope), again.value(&scope), "{text}");
        }
    }
}

/// Reads a table: the bytes as they are, and as a body with a matching header.
pub fn table(data: &[u8]) {
    read_table(data);
    let Some((version, body)) = data.split_first() else { return };
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(body).expect("writing to memory");
    let packed = encoder.finish().expect("writing to memory");
    let mut file = tiny_table()[..HEADER].to_vec();
    file[8] = 1 + version % 2;
    file[24..32].copy_from_slice(&(packed.len() as u64).to_le_bytes());
    file[32..40].copy_from_slice(&(body.len() as u64).to_le_bytes());
    file.extend(packed);
    let checksum = crc32fast::hash(&file[16..]);
    file[12..16].copy_from_slice(&checksum.to_le_bytes());
    read_table(&file);
}

/// Makes a very small table.
pub fn tiny_table() -> Vec<u8> {
    let text =
        "id = \"tiny\"\ngoal = 2\nmax_dice = 1\n[[rule]]\nname = \"Crumb\"\nzero_dice = \"1\"\n";
    let game = Game::new(rules_from_text(text, "tiny", Overrides::default()).expect("valid rules"))
        .expect("a game");
    Table::new(&game, &solved(&game, Arithmetic::Exact).expect("a small game"), None).to_bytes()
}

/// Reads a table, writes it again, and checks it against the game of its rules.
fn read_table(bytes: &[u8]) {
    let rules = Table::rules_inside(bytes);
    let Ok(table) = Table::from_bytes(bytes) else { return };
    assert_eq!(
        Table::from_bytes(&table.to_bytes()).as_ref(),
        Ok(&table),
        "writing and reading a table does not change it"
    );
    let Some(game) =
        rules.ok().filter(|rules| most_states(rules) <= MOST_STATES).and_then(tabulated)
    else {
        return;
    };
    if table.fits(&game).is_ok() {
        assert!(
            (0..game.space().states())
                .all(|state| table.plan().action(state) < game.space().actions)
        );
        let _ = table.win_rates(&game, &Watch::silent());
        let (answered, exact) = (table.answered(), table.arithmetic() == Arithmetic::Exact);
        let claim = Claim {
            rules: game.rules(),
            states: game.states(),
            best: table.best(),
            win_rates: table.stored_win_rates(),
            exact,
            error_bound: table.error_bound(),
            bounds: table.bounds(),
            against: answered.as_ref(),
            rates: table.rates(),
        };
        let _ = check(&claim, &|_, _| true);
    }
}

/// Reads a file of rolls, in any form.
pub fn npy(data: &[u8]) {
    let game = small_game();
    if let Ok(plan) = read_rolls(data, &game) {
        assert!(plan.fits(game.states()));
    }
}

fn small_game() -> Game {
    let rules =
        load("fa21", Overrides { goal: Some(4), max_dice: Some(3) }).expect("a built-in game");
    Game::new(rules).expect("a game")
}

/// Unpacks an archive of submissions: whatever one entrant hands in, honest ones remain, and
/// nothing is left or written elsewhere.
pub fn archive(data: &[u8]) {
    contests::archive(data, &small_game());
}

/// Finds whose submissions are, by a roster, names of files and Gradescope's list: nobody can be
/// taken for an honest person, or take something from one.
pub fn roster(data: &[u8]) {
    contests::roster(data, &small_game());
}

/// Reads notebooks and the outlines of Python files.
pub fn notebook(data: &[u8]) {
    contests::notebook(data, &small_game());
}

/// Reads the output of a strategy's process: valid answers for all positions, or a fault without
/// control characters.
pub fn answers(data: &[u8]) {
    match read_answers(data, "s:", &QuestionGrid { below: 3, answers: 0..=4 }) {
        Ok(Some(dice)) => {
            assert!(dice.len() == 9 && dice.iter().all(|dice| (0..=4).contains(dice)), "{dice:?}")
        }
        Ok(None) => {}
        Err(fault) => {
            assert!(!PythonFault(fault.clone()).to_string().contains(char::is_control), "{fault:?}")
        }
    }
}

/// Sends a request to a server, and hangs up when it has taken [`PATIENCE`]. It must be answered,
/// with a status that blames no fault of the server, or else stop soon, wherever it is: what looks
/// at its client looks at its clock too, and processor time does not depend on what else the
/// machine does. Its memory must be what the limits imply, whatever the request asks for.
pub fn request(data: &[u8]) {
    let (name, body) = requests::request(data);
    let before = processor_seconds();
    let status = asked(name, &body, || processor_seconds() - before > PATIENCE);
    if status.is_none() {
        wait_until_idle();
    }
    let (seconds, mebibytes) = (processor_seconds() - before, peak_mebibytes());
    let shown = || format!("{name} {}", body.chars().take(2000).collect::<String>());
    if let Some(status) = status {
        assert!([200, 400, 413, 422].contains(&status), "status {status}: {}", shown());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let most = PATIENCE + LARGEST_STEP * cores;
    assert!(seconds <= most, "{seconds:.1} s of processor time, more than {most:.1}: {}", shown());
    assert!(mebibytes <= MOST_MEBIBYTES, "{mebibytes} MiB: {}", shown());
}

/// The processor time after which the client hangs up, in seconds: a game of half a million states
/// is solved within it, so that what follows is reached.
const PATIENCE: f64 = 1.0;
/// The most processor time of a thread between two looks at the client and the clock, in seconds: a
/// group of pairs is prepared without one.
const LARGEST_STEP: f64 = 2.0;
/// The server's limit on the tables of one part of the work: so much of what `hog serve` allows
/// that a game of a million states is not refused before anything takes long.
const REQUEST_MEMORY: u64 = 512 << 20;
/// The most memory of the process at any time: several tables, what is kept of earlier answers, and
/// an answer.
const MOST_MEBIBYTES: u64 = 1500;

/// Sends a request to the server of this process, and returns the status of its answer, or `None`
/// if `hang_up` returned true before it came.
fn asked(name: &str, body: &str, hang_up: impl Fn() -> bool) -> Option<u16> {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    let address = ADDRESS.get_or_init(|| {
        let mut settings =
            Settings::new(SocketAddr::from(([127, 0, 0, 1], 0)), std::env::temp_dir());
        settings.limits.memory = REQUEST_MEMORY;
        settings.limits.cache = 32 << 20;
        let server = Server::bind(settings).expect("an address");
        let address = server.address().expect("an address");
        std::thread::spawn(|| server.run().expect("a server"));
        address
    });
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let head = format!(
        "POST /api/v1/{name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    // A server that has already refused may close the connection before everything is sent.
    let _ = stream.write_all((head + body).as_bytes());
    stream.set_read_timeout(Some(Duration::from_millis(20))).expect("a time above zero");
    let mut head = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => {
                let wanted = 20_usize.saturating_sub(head.len()).min(read);
                head.extend_from_slice(&part[..wanted]);
            }
            // It goes on after a signal: libFuzzer's timer sends some.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                if hang_up() {
                    return None;
                }
            }
            Err(_) => break,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    Some(head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

/// Waits until this process has not computed for half a second.
fn wait_until_idle() {
    let mut quiet = 0;
    while quiet < 5 {
        let before = processor_seconds();
        std::thread::sleep(Duration::from_millis(100));
        quiet = if processor_seconds() - before < 0.02 { quiet + 1 } else { 0 };
    }
}

/// The processor time of this process so far; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split(' ')
        .filter_map(|f| f.parse().ok())
        .collect();
    // In hundredths of a second: the state, which comes first, is no number.
    fields.get(10).zip(fields.get(11)).map_or(0.0, |(user, system)| (user + system) / 100.0)
}

/// The most memory that this process has had so far, in MiB; 0 where the system does not tell.
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?.trim().split(' ').next()?.parse::<u64>().ok()
    });
    peak.unwrap_or(0) >> 10
}

/// Parses a strategy's name: parsing and display must be inverse, and the plan of a built-in
/// strategy must fit the game.
pub fn strategy_name(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(strategy) = text.parse::<Strategy>() else { return };
    let written = strategy.to_string();
    assert_eq!(written.parse::<Strategy>().expect("a displayed name"), strategy, "{text}");
    // The search for a table against a mixture takes too long.
    if strategy.is_builtin() && !written.contains("mix(") {
        let game = small_game();
        if let Ok(plan) = strategy.plan(&game, &Watch::silent()) {
            assert!(plan.fits(game.states()));
        }
    }
}

/// Solves a random small game: floats must be within their error bound of exact numbers, the
/// checker must prove both, and a best response must win as often as claimed, and at least as often
/// as other strategies.
pub fn differential(data: &[u8]) {
    let text = Bytes(data).rules();
    let Ok(rules) = rules_from_text(&text, "random", Overrides::default()) else { return };
    if most_states(&rules) > 600 {
        return;
    }
    let Some(game) = tabulated(rules) else { return };
    let (Some(exact), Some(float)) =
        (solved(&game, Arithmetic::Exact), solved(&game, Arithmetic::Float))
    else {
        return;
    };
    let bound = float.error_bound;
    for (a, b) in exact.own.win_rates.iter().zip(&float.own.win_rates) {
        assert!((a - b).abs() <= bound, "{a} and {b} are further apart than {bound}\n{text}");
    }
    for solution in [&exact, &float] {
        assert_proven(&game, solution, None, &text);
    }
    let seed =
        data.iter().fold(17usize, |seed, byte| seed.wrapping_mul(31).wrapping_add((*byte).into()));
    let random = |state: usize| (seed.wrapping_mul(state + 7) >> 9) % game.space().actions;
    let other =
        Plan::from_actions((0..game.space().states()).map(|state| random(state) as u8).collect());
    let silent = Watch::silent();
    let Ok(answer) = best_response(&game, &other, Arithmetic::Float, &silent) else { return };
    assert_proven(&game, &answer, Some(&other), &text);
    let rated = |plan: &Plan| rate(&game, [plan, &other], &silent).expect("a small game is rated");
    let (own, error) = rated(&answer.plan());
    assert!((own.average() - answer.average()).abs() <= error + 2.0 * answer.error_bound, "{text}");
    for plan in [exact.plan(), other.clone()] {
        let (its, more) = rated(&plan);
        assert!(its.average() <= own.average() + error + more + 2.0 * answer.error_bound, "{text}");
    }
}

fn solved(game: &Game, arithmetic: Arithmetic) -> Option<Solution> {
    equilibrium(game, arithmetic, &Watch::silent()).ok()
}

fn assert_proven(game: &Game, solution: &Solution, against: Option<&Plan>, text: &str) {
    let claim = Claim {
        rules: game.rules(),
        states: game.states(),
        best: &solution.own.best,
        win_rates: &solution.own.win_rates,
        exact: solution.arithmetic == Arithmetic::Exact,
        error_bound: solution.error_bound,
        bounds: solution.bounds.as_ref().map(|bounds| LoopBounds {
            other: solution.other.as_ref().map_or(&[][..], |other| &other.win_rates),
            states: &bounds.states,
            below: &bounds.below,
            above: &bounds.above,
        }),
        against,
        rates: [solution.first(), solution.second(), solution.average()],
    };
    let report = match check(&claim, &|_, _| true) {
        // Of play that lasts very long, floats bring no bounds.
        Err(CheckError::NoBounds) => return,
        report => report.unwrap_or_else(|error| panic!("{error}\n{text}")),
    };
    assert!(report.ok(), "{report:?}\n{text}");
    assert_eq!(report.loops, solution.loops, "{text}");
}

/// A source of choices: the bytes in order, and zeros after the last one.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// Returns a number below `most`.
    fn below(&mut self, most: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % most
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    /// Makes a formula of a number, of at most the given depth.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(3) {
                0 => "score".into(),
                1 => "opponent".into(),
                _ => self.below(12).to_string(),
            };
        }
        let [a, b] = [self.number(depth - 1), self.number(depth - 1)];
        match self.below(8) {
            0 => format!("({a} + {b})"),
            1 => format!("abs({a} - {b})"),
            2 => format!("min({a}, {b})"),
            3 => format!("({a} % ({b} + 1))"),
            4 => format!("gcd({a}, {b})"),
            5 => format!("({a} > {b} ? {a} : {b})"),
            6 => format!("next_prime({a})"),
            _ => format!("tens({a} * {b})"),
        }
    }

    /// Makes a formula that is true or false.
    fn test(&mut self) -> String {
        let [a, b] = [self.number(2), self.number(1)];
        match self.below(4) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} % 5 < {b} % 3"),
            2 => format!("is_prime({a} + {b})"),
            _ => format!("({a} + {b}) % 4 == 0"),
        }
    }

    /// Makes the text of a rule file.
    fn rules(&mut self) -> String {
        let mut text = format!(
            "id = \"random\"\ngoal = {}\nmax_dice = {}\n",
            2 + self.below(10),
            1 + self.below(3)
        );
        if self.below(4) == 0 {
            let (of, next) = (
                self.one_of(&["player", "game"]),
                self.one_of(&["dice % 2", "1 - kept", "score % 2"]),
            );
            text += &format!(
                "[[memory]]\nname = \"kept\"\nof = \"{of}\"\nmax = 1\nnext = \"{next}\"\n"
            );
            text += &format!(
                "[[rule]]\nname = \"m\"\npoints = \"points + {} * kept\"\n",
                self.below(3)
            );
        }
        let mut rule = |formula: String| text += &format!("[[rule]]\nname = \"r\"\n{formula}\n");
        rule(format!("bust = \"{} % 4\"", self.number(2)));
        rule(format!("zero_dice = \"{} + {} % 7\"", self.below(2), self.number(2)));
        match self.below(6) {
            0 => rule(format!("swap = \"{}\"", self.test())),
            1 => rule(format!("again = \"{}\"", self.test())),
            2 => rule(format!("score = \"score + {} % 3\"", self.number(2))),
            3 => rule(format!("opponent_score = \"opponent + {} % 2\"", self.number(1))),
            4 => rule(format!("die = \"{} ? 4 : 6\"", self.test())),
            _ => {}
        }
        text
    }
}
