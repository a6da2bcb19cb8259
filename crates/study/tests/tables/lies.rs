//! Tables with a correct checksum and false contents: each falsehood alone is refused.

use std::io::Write as _;

use hog_rules::rules::{Overrides, Rules, load, rules_from_text};
use hog_solve::game::Game;
use hog_solve::solve::{Arithmetic, Watch, equilibrium};
use hog_study::table::{HEADER, Table, TableFault};

const TINY: &str =
    "id = \"tiny\"\ngoal = 2\nmax_dice = 1\n[[rule]]\nname = \"Crumb\"\nzero_dice = \"1\"\n";

/// The contents of a file, field by field, in the order of its bytes.
#[derive(Clone)]
struct Parts {
    version: u32,
    fingerprint: u64,
    id: Vec<u8>,
    rules: Vec<u8>,
    goal: u32,
    max_dice: i32,
    against: Option<Vec<u8>>,
    bound: f64,
    rates: [f64; 3],
    palette: Vec<u32>,
    sets: Vec<u8>,
    win_rates: Vec<f64>,
    answered: Option<Vec<u8>>,
    /// Additional bytes at the end of the body, and after it.
    extra: [Vec<u8>; 2],
    /// The error of the announced length of the inflated body.
    announced: i64,
}

/// What is false, and the change that makes it so.
type Lie<'t> = (&'t str, fn(&mut Parts));

impl Parts {
    fn sound() -> Self {
        Self {
            version: 1,
            fingerprint: tiny().fingerprint(),
            id: b"tiny".to_vec(),
            rules: TINY.into(),
            goal: 2,
            max_dice: 1,
            against: None,
            bound: f64::EPSILON / 4.0,
            rates: [31.0 / 36.0, 5.0 / 36.0, 0.5],
            palette: vec![2, 3],
            sets: vec![0, 0, 1, 1],
            win_rates: vec![31.0 / 36.0, 5.0 / 6.0, 1.0, 1.0],
            answered: None,
            extra: Default::default(),
            announced: 0,
        }
    }

    /// A best response to zero dice everywhere, with the same numbers.
    fn answer() -> Self {
        Self {
            version: 2,
            against: Some(b"always_roll:0".to_vec()),
            answered: Some(vec![0; 4]),
            ..Self::sound()
        }
    }

    fn body(&self) -> Vec<u8> {
        let counted = |bytes: &[u8]| [&(bytes.len() as u64).to_le_bytes(), bytes].concat();
        let mut body = counted(&self.rules);
        body.extend(self.goal.to_le_bytes());
        body.extend(self.max_dice.to_le_bytes());
        body.push(self.against.is_some().into());
        body.extend(self.against.iter().flat_map(|text| counted(text)));
        // The flag for exact arithmetic.
        body.push(1);
        body.extend(self.bound.to_le_bytes());
        body.extend([2u64, 0].iter().flat_map(|number| number.to_le_bytes()));
        body.extend(self.rates.iter().flat_map(|rate| rate.to_le_bytes()));
        body.extend((self.palette.len() as u64).to_le_bytes());
        body.extend(self.palette.iter().flat_map(|set| set.to_le_bytes()));
        body.extend(counted(&self.sets));
        body.extend((self.win_rates.len() as u64).to_le_bytes());
        body.extend(self.win_rates.iter().flat_map(|rate| rate.to_le_bytes()));
        body.extend(self.answered.iter().flat_map(|actions| counted(actions)));
        body
    }

    /// Returns the file, with lengths and checksum that fit.
    fn file(&self) -> Vec<u8> {
        let body = self.body();
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&body).unwrap();
        let packed = [encoder.finish().unwrap(), self.extra[0].clone()].concat();
        let mut file = b"\x89HOG\r\n\x1a\n".to_vec();
        file.extend(self.version.to_le_bytes());
        file.extend([0; 4]);
        file.extend(self.fingerprint.to_le_bytes());
        file.extend((packed.len() as u64).to_le_bytes());
        file.extend((body.len() as i64 + self.announced).to_le_bytes());
        file.extend(&self.id);
        file.resize(HEADER, 0);
        file.extend(packed);
        file.extend(&self.extra[1]);
        let checksum = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&checksum.to_le_bytes());
        file
    }

    fn read(&self) -> Result<Table, TableFault> {
        Table::from_bytes(&self.file())
    }
}

fn tiny() -> Rules {
    rules_from_text(TINY, "test", Overrides::default()).unwrap()
}

/// Asserts that each change alone makes a sound file damaged.
#[track_caller]
fn assert_damaged(sound: Parts, lies: &[Lie]) {
    assert!(sound.read().is_ok());
    for (what, lie) in lies {
        let mut lying = sound.clone();
        lie(&mut lying);
        assert_eq!(lying.read().err(), Some(TableFault::Damaged), "{what}");
    }
}

#[test]
fn the_sound_parts_make_the_bytes_of_a_real_table() {
    let game = Game::new(tiny()).unwrap();
    let solved = equilibrium(&game, Arithmetic::Exact, &Watch::silent()).unwrap();
    assert_eq!(
        Parts::sound().read().unwrap().to_bytes(),
        Table::new(&game, &solved, None).to_bytes()
    );
    assert!(Parts::answer().read().unwrap().fits(&game).is_ok());
}

#[test]
fn impossible_numbers_are_refused() {
    assert_damaged(
        Parts::sound(),
        &[
            ("a bound of NaN", |parts| parts.bound = f64::NAN),
            ("a bound below 0", |parts| parts.bound = -f64::EPSILON),
            ("an infinite bound", |parts| parts.bound = f64::INFINITY),
            ("a rate above 1", |parts| parts.rates[2] = 1.5),
            ("a rate of NaN", |parts| parts.rates[0] = f64::NAN),
            ("a win rate below 0", |parts| parts.win_rates[1] = -0.5),
        ],
    );
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    assert_damaged(
        Parts::sound(),
        &[
            ("a missing win rate", |parts| parts.win_rates.truncate(3)),
            ("bytes after the body that are announced", |parts| parts.extra[0] = vec![0]),
            ("bytes after the file's end", |parts| parts.extra[1] = vec![0]),
            ("a body that inflates to more", |parts| parts.announced = -1),
            ("a body that inflates to less", |parts| parts.announced = 1),
            ("a body larger than any table", |parts| parts.announced = 3 << 30),
            ("no states", |parts| (parts.sets, parts.win_rates) = (Vec::new(), Vec::new())),
            ("an index of a set that does not exist", |parts| parts.sets[3] = 2),
            ("half an index", |parts| {
                parts.palette = (1..=257).collect();
                parts.sets = vec![0; 9];
            }),
        ],
    );
    assert_damaged(
        Parts::answer(),
        &[
            ("an answer to nobody", |parts| parts.against = None),
            ("a missing roll", |parts| parts.answered = Some(vec![0; 3])),
        ],
    );
    let oversized = Parts { announced: 8 << 20, ..Parts::sound() };
    assert!(
        matches!(oversized.read(), Err(TableFault::Oversized { .. })),
        "a size beyond what the rules allow"
    );
}

#[test]
fn texts_that_are_not_utf_8_are_refused() {
    let id: Lie = ("an id", |parts| parts.id = vec![b't', 0xff]);
    let rules: Lie = ("rules", |parts| parts.rules[0] = 0xff);
    let against: Lie = ("a strategy", |parts| parts.against = Some(vec![0xff]));
    assert_damaged(Parts::sound(), &[id, rules]);
    assert_damaged(Parts::answer(), &[id, rules, against]);
}

/// Up to 256 sets have indices of one byte; more sets have indices of two.
#[test]
fn indices_of_256_and_257_sets_are_read() {
    for (sets, indices, best) in [
        (256u32, vec![255, 0, 1, 255], [256, 1, 2, 256]),
        (257, vec![0, 1, 1, 0, 0, 0, 0, 0], [257, 2, 1, 1]),
    ] {
        let table = Parts { palette: (1..=sets).collect(), sets: indices, ..Parts::sound() }
            .read()
            .unwrap();
        assert_eq!(table.best(), best);
    }
}

#[test]
fn rules_that_differ_from_those_in_the_header_are_refused() {
    let lies: [Lie; 4] = [
        ("the fingerprint of other rules", |parts| parts.fingerprint ^= 1),
        ("the id of other rules", |parts| parts.id = b"tint".to_vec()),
        ("a goal of 0", |parts| parts.goal = 0),
        ("a negative number of dice", |parts| parts.max_dice = -1),
    ];
    for (what, lie) in lies {
        let mut lying = Parts::sound();
        lie(&mut lying);
        assert!(lying.read().and_then(|table| table.rules()).is_err(), "{what}");
        assert!(Table::rules_inside(&lying.file()).is_err(), "{what}");
    }
}

#[test]
fn best_rolls_that_the_game_does_not_have_do_not_fit_it() {
    let game = Game::new(tiny()).unwrap();
    let fits = |lie: fn(&mut Parts)| {
        let mut lying = Parts::sound();
        lie(&mut lying);
        lying.read().and_then(|table| table.fits(&game))
    };
    assert_eq!(fits(|_| {}), Ok(()));
    assert_eq!(
        fits(|parts| parts.palette[0] = 0),
        Err(TableFault::Damaged),
        "an empty set of best rolls"
    );
    assert_eq!(fits(|parts| parts.palette[0] = 4), Err(TableFault::Damaged), "a roll of two dice");
    let fewer: fn(&mut Parts) = |parts| {
        parts.sets.pop();
        parts.win_rates.pop();
    };
    assert_eq!(fits(fewer), Err(TableFault::Damaged), "a missing state");
    let other =
        Game::new(load("fa21", Overrides { goal: Some(2), max_dice: Some(1) }).unwrap()).unwrap();
    let refused = Parts::sound().read().unwrap().fits(&other);
    assert!(matches!(refused, Err(TableFault::OtherRules { .. })), "{refused:?}");
}
