//! The bytes of tables: the documented layout, golden bytes, the refusal of all damaged files, and
//! the shipped tables.

mod lies;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hog_rules::rules::{Overrides, Rules, builtins, load, rules_from_text};
use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Watch, best_response, equilibrium, practical_arithmetic};
use hog_study::table::{ANSWER_VERSION, HEADER, Table, TableFault, VERSION, shipped};
use proptest::prelude::*;

/// A game so small that its table can be read by eye: four states, zero dice or one.
const TINY: &str =
    "id = \"tiny\"\ngoal = 2\nmax_dice = 1\n[[rule]]\nname = \"Crumb\"\nzero_dice = \"1\"\n";

/// The file of [`TINY`]'s equilibrium. If it changes, the format has changed: raise the version and
/// say so in CHANGELOG.md.
const TINY_FILE: &str = "
    89484f470d0a1a0a 01000000 251d98cf
    975ddca7d7088d77 9900000000000000 d000000000000000
    74696e790000000000000000000000000000000000000000
    78da5d4c410ac23010dcd49ef60d3d94fd413df5a0e4e0cd2f9422d10609342d060bea238aefd05778ea37043de9c527
    985053b003bbc30c33b3841eaa88e731ed557524dcd6a2b46a8a5a1c5685da482b12cc32d39432cfb112da39b4308d5e
    139ea4a97d8a12c2c0ae31f00fe03c0be01fcfb47da4ed9b9ba8db45dd8df7ee9dfb9ce389bd706830168ebad78bc3eb
    d7fd0cfc05a6f72c65
";

/// The body after the text of the rules: goal, max_dice, against, exact; bound; ties, loops; rates;
/// palette; sets; and the win rates 31/36, 5/6, 1, 1, worked out by hand: one die wins unless it
/// shows a 1, which leaves the player one point short of the goal, from where zero dice win.
const TINY_BODY: &str = "
    02000000 01000000 00 01
    000000000000903c
    0200000000000000 0000000000000000
    e4388ee3388eeb3f 721cc7711cc7c13f 000000000000e03f
    0200000000000000 02000000 03000000
    0400000000000000 00 00 01 01
    0400000000000000 e4388ee3388eeb3f abaaaaaaaaaaea3f 000000000000f03f 000000000000f03f
";

#[test]
fn a_tiny_table_has_its_golden_bytes() {
    let file = solved(tiny()).to_bytes();
    assert_eq!(hex(&file), TINY_FILE.replace([' ', '\n'], ""));
    let text = [&(TINY.len() as u64).to_le_bytes(), TINY.as_bytes()].concat();
    assert_eq!(hex(&inflated(&file)), hex(&text) + &TINY_BODY.replace([' ', '\n'], ""));
}

#[test]
fn the_header_has_its_documented_layout() {
    let rules = tiny();
    let fingerprint = rules.fingerprint();
    let file = solved(rules).to_bytes();
    let u32_at = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    assert_eq!((HEADER, VERSION), (64, 1));
    assert_eq!(file[..8], *b"\x89HOG\r\n\x1a\n");
    assert_eq!(u32_at(8), VERSION);
    assert_eq!(u32_at(12), crc32(&file[16..]));
    assert_eq!(u64_at(16), fingerprint);
    assert_eq!(u64_at(24), (file.len() - HEADER) as u64);
    assert_eq!(u64_at(32), inflated(&file).len() as u64);
    assert_eq!(file[40..64], *b"tiny\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
}

/// A best response holds its rules, its numbers, and at the end the rolls of its opponent, so that
/// no other file is needed to check it. Its format has a version of its own, so that equilibria
/// keep theirs.
#[test]
fn a_best_response_holds_the_rolls_of_its_opponent() {
    let game = Game::new(tiny()).unwrap();
    let never = Plan::from_actions(vec![0; 4]);
    let solution = best_response(&game, &never, Arithmetic::Exact, &Watch::silent()).unwrap();
    let file = Table::new(&game, &solution, Some(("always_roll:0".into(), &never))).to_bytes();
    assert_eq!(u32::from_le_bytes(file[8..12].try_into().unwrap()), ANSWER_VERSION);
    assert!(hex(&inflated(&file)).ends_with("0400000000000000 00000000".replace(' ', "").as_str()));
    let read = Table::from_bytes(&file).unwrap();
    assert_eq!((read.against(), read.answered()), (Some("always_roll:0"), Some(never)));
    // Files of version 1 have no rolls at the end; other lengths, and rolls that the game does not
    // have, are damaged.
    let mut body = inflated(&file);
    let versioned = |version: u8, body: &[u8]| {
        let mut file = sealed(body);
        file[8] = version;
        seal(&mut file);
        Table::from_bytes(&file)
    };
    assert_eq!(versioned(1, &body[..body.len() - 12]).unwrap().answered(), None);
    assert_eq!(versioned(1, &body).unwrap_err(), TableFault::Damaged);
    assert_eq!(versioned(2, &body[..body.len() - 12]).unwrap_err(), TableFault::Damaged);
    assert_eq!(
        versioned(2, &inflated(&solved(tiny()).to_bytes())).unwrap_err(),
        TableFault::Damaged
    );
    *body.last_mut().unwrap() = 2;
    assert_eq!(versioned(2, &body).unwrap().fits(&game), Err(TableFault::Damaged));
    assert_eq!(versioned(4, &body).unwrap_err(), TableFault::Version { found: 4 });
}

#[test]
fn an_id_too_long_for_the_header_is_cut_between_characters() {
    let rules = rules_from_text(
        &TINY.replace("tiny", "ein-Würfelspiel-für-späte-Stunden"),
        "test",
        Overrides::default(),
    );
    let table = solved(rules.unwrap());
    assert_eq!(Table::from_bytes(&table.to_bytes()).unwrap().id(), "ein-Würfelspiel-für-sp");
}

#[test]
fn a_table_reads_back_as_it_was_written() {
    for (id, goal) in [("fa21", 12), ("nju21", 12), ("fa19", 5), ("su15", 30), ("sp15", 1)] {
        let table = solved(changed(id, goal));
        let bytes = table.to_bytes();
        let read = Table::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes, "{id}");
        assert_eq!(
            (read.best(), read.stored_win_rates()),
            (table.best(), table.stored_win_rates()),
            "{id}"
        );
        assert_eq!(
            (read.rates(), read.ties(), read.loops()),
            (table.rates(), table.ties(), table.loops()),
            "{id}"
        );
        assert_eq!((read.arithmetic(), read.against(), read.id()), (Arithmetic::Exact, None, id));
        let game = read.game().unwrap();
        assert_eq!(
            (game.rules().goal, game.rules().fingerprint()),
            (goal, changed(id, goal).fingerprint())
        );
    }
}

#[test]
fn a_table_of_32_moves_reads_back_as_it_was_written() {
    let text = "id = \"wide\"\ngoal = 2\nmin_dice = -1\nmax_dice = 30\n\
                [[rule]]\nname = \"Zero\"\nzero_dice = \"2\"";
    let game = Game::new(rules_from_text(text, "wide", Overrides::default()).unwrap()).unwrap();
    assert_eq!(game.space().actions, 32);
    for arithmetic in [Arithmetic::Float, Arithmetic::Exact] {
        let solved = equilibrium(&game, arithmetic, &Watch::silent()).unwrap();
        let table = Table::new(&game, &solved, None);
        assert!(Table::from_bytes(&table.to_bytes()).unwrap().fits(&game).is_ok());
    }
}

#[test]
fn a_packed_table_computes_its_win_rates_within_the_bound() {
    let rules = changed("fa19", 20);
    let whole = solved(rules.clone());
    let packed = Table::from_bytes(&whole.clone().packed().to_bytes()).unwrap();
    assert!(packed.stored_win_rates().is_empty() && packed.best() == whole.best());
    let game = Game::new(rules).unwrap();
    let (computed, _) = packed.win_rates(&game, &Watch::silent()).unwrap();
    let worst = computed
        .iter()
        .zip(whole.stored_win_rates())
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    let bound = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap().error_bound;
    assert!(worst <= bound, "off by {worst:e}, more than {bound:e}");
}

#[test]
fn every_flipped_bit_is_refused() {
    let sound = solved(changed("fa21", 6)).to_bytes();
    for place in 0..sound.len() {
        for bit in 0..8 {
            let mut flipped = sound.clone();
            flipped[place] ^= 1 << bit;
            assert!(Table::from_bytes(&flipped).is_err(), "bit {bit} of byte {place}");
        }
    }
}

#[test]
fn every_truncation_is_refused_as_a_truncation() {
    let sound = solved(changed("fa21", 6)).to_bytes();
    for length in 0..sound.len() {
        let fault = Table::from_bytes(&sound[..length]).unwrap_err();
        assert_eq!(fault, TableFault::Truncated, "{length} bytes");
    }
}

#[test]
fn bytes_after_the_end_are_refused() {
    let mut longer = solved(changed("fa21", 6)).to_bytes();
    longer.push(0);
    assert_eq!(Table::from_bytes(&longer).unwrap_err(), TableFault::Damaged);
    // With lengths and a checksum that include them.
    let body = [&inflated(&longer[..longer.len() - 1])[..], &[0]].concat();
    assert_eq!(Table::from_bytes(&sealed(&body)).unwrap_err(), TableFault::Damaged);
}

#[test]
fn a_body_that_lies_about_its_lengths_is_refused() {
    let sound = inflated(&solved(tiny()).to_bytes());
    let mut lying = sound.clone();
    // The length of the rules' text.
    lying[..8].copy_from_slice(&(1u64 << 31).to_le_bytes());
    assert_eq!(Table::from_bytes(&sealed(&lying)).unwrap_err(), TableFault::Damaged);
    lying[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    assert_eq!(Table::from_bytes(&sealed(&lying)).unwrap_err(), TableFault::Damaged);
    assert!(Table::from_bytes(&sealed(&sound)).is_ok(), "the body with correct lengths is read");
}

#[test]
fn impossible_win_rates_are_refused() {
    let mut body = inflated(&solved(tiny()).to_bytes());
    let last = body.len() - 8;
    for impossible in [f64::NAN, -0.5, 1.5, f64::INFINITY] {
        body[last..].copy_from_slice(&impossible.to_le_bytes());
        assert_eq!(
            Table::from_bytes(&sealed(&body)).unwrap_err(),
            TableFault::Damaged,
            "{impossible}"
        );
    }
    body[last..].copy_from_slice(&0.25f64.to_le_bytes());
    assert_eq!(
        Table::from_bytes(&sealed(&body)).unwrap().stored_win_rates()[3].to_bits(),
        0.25f64.to_bits()
    );
}

#[test]
fn a_table_does_not_fit_a_game_with_other_rules() {
    let table = solved(changed("fa21", 6));
    let fits = |rules| table.fits(&Game::new(rules).unwrap());
    assert_eq!(fits(changed("fa21", 6)), Ok(()));
    for other in [changed("fa21", 7), changed("su15", 6)] {
        assert!(matches!(fits(other), Err(TableFault::OtherRules { .. })));
    }
}

/// Two games that were computed to have the same 64-bit fingerprint: at 3 points one leaves 1, the
/// other 3.
#[test]
fn a_table_does_not_fit_other_rules_with_its_fingerprint() {
    let [one, other] = ["22378578662 + 47625731171", "82755785247 + 17641252312"].map(|sum| {
        let score = format!("score == 3 ? ({sum}) % 4 : score");
        let text = format!(
            "id = \"a\"\ngoal = 6\nmax_dice = 2\n[[rule]]\nname = \"r\"\nscore = \"{score}\"\n"
        );
        rules_from_text(&text, "test", Overrides::default()).unwrap()
    });
    assert_eq!(one.fingerprint(), other.fingerprint());
    let table = solved(one);
    assert!(!table.is_for(&other));
    let read = Table::for_game(&table.to_bytes(), &Game::new(other).unwrap());
    assert!(matches!(read, Err(TableFault::OtherRules { .. })));
}

#[test]
fn a_table_fits_the_same_rules_under_other_names() {
    let rules = TINY.replace("tiny", "renamed").replace("Crumb", "Bite");
    let renamed = rules_from_text(&rules, "test", Overrides::default()).unwrap();
    assert!(solved(tiny()).is_for(&renamed));
}

proptest! {
    /// Reading random bytes returns a table or a fault, and never panics.
    #[test]
    fn reading_never_panics_on_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
    }

    /// The same for random headers behind a sound beginning, which reach more of the reader.
    #[test]
    fn reading_never_panics_on_a_random_header(
        head in prop::collection::vec(any::<u8>(), 52),
        length in 0u64..200,
    ) {
        let mut file = solved(tiny()).to_bytes();
        let body = (file.len() - HEADER) as u64;
        file[12..HEADER].copy_from_slice(&head);
        file[24..32].copy_from_slice(&(if length % 2 == 0 { body } else { length }).to_le_bytes());
        file[32..40].copy_from_slice(&(if length % 3 == 0 { 200 } else { length }).to_le_bytes());
        seal(&mut file);
        read_all(&file);
    }

    /// The same for a changed body with a correct checksum.
    #[test]
    fn reading_never_panics_on_a_tampered_body(
        place in any::<prop::sample::Index>(),
        bytes in prop::array::uniform4(any::<u8>()),
    ) {
        let mut body = inflated(&solved(changed("fa19", 2)).to_bytes());
        let place = place.index(body.len() - bytes.len());
        body[place..place + bytes.len()].copy_from_slice(&bytes);
        read_all(&sealed(&body));
    }

    /// The same for a body of random bytes.
    #[test]
    fn reading_never_panics_on_a_random_body(body in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&sealed(&body));
    }
}

#[test]
fn every_shipped_table_is_read_and_fits_its_game() {
    // No tables are shipped for the games of the literature: their exact values have no common
    // denominator.
    let group = |id: &str| load(id, Overrides::default()).unwrap().group().to_owned();
    let without: Vec<&str> = builtins()
        .iter()
        .map(|game| game.id)
        .filter(|id| !tables().contains_key(*id) && group(id) != "Literature")
        .collect();
    assert!(without.is_empty(), "no table is shipped for {without:?}");
    for (id, path) in tables() {
        let table = hog_study::table::read(&path).unwrap_or_else(|e| panic!("{e}"));
        let rules = load(&id, Overrides::default()).unwrap();
        let game = Game::new(rules.clone()).unwrap();
        assert_eq!(
            (table.id(), table.against(), table.arithmetic()),
            (id.as_str(), None, arithmetic_of(&game))
        );
        assert_eq!(table.fits(&game), Ok(()), "{id}");
        assert!(shipped(&rules) == Some(table), "{id}: the program embeds another table");
    }
}

#[test]
fn no_table_is_shipped_for_changed_rules() {
    for game in builtins() {
        assert!(shipped(&changed(game.id, 99)).is_none(), "{}", game.id);
    }
}

/// These are the games without memory, whose tables include win rates.
#[test]
fn every_table_with_win_rates_is_rebuilt_byte_for_byte() {
    let whole =
        |path: &PathBuf| !hog_study::table::read(path).unwrap().stored_win_rates().is_empty();
    let ids: Vec<String> =
        tables().into_iter().filter(|(_, path)| whole(path)).map(|(id, _)| id).collect();
    assert!(ids.len() >= 26, "{ids:?}");
    ids.iter().for_each(|id| assert_rebuilt(id));
}

/// Checks that there is a row for each table, with its checksum, size, states and ties.
#[test]
fn the_readme_of_the_tables_describes_the_files() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut missing = Vec::new();
    for (id, path) in tables() {
        let bytes = std::fs::read(path).unwrap();
        let table = Table::from_bytes(&bytes).unwrap();
        let packed = if table.stored_win_rates().is_empty() { " --packed" } else { "" };
        let game = Game::new(load(&id, Overrides::default()).unwrap()).unwrap();
        let exact = match practical_arithmetic(&game, 1.0) {
            Arithmetic::Exact => "",
            Arithmetic::Float if arithmetic_of(&game) == Arithmetic::Float => "",
            Arithmetic::Float => " --arithmetic exact",
        };
        let version = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        let checksum = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
        let row = format!(
            "| `hog solve {id}{packed}{exact} -o tables/{id}.hog` | {} | {version} | \
             {checksum:08x} | {} | {} | {} |",
            env!("CARGO_PKG_VERSION"),
            bytes.len(),
            table.best().len(),
            game.ties(table.best()),
        );
        if !readme.lines().any(|line| line == row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "tables/README.md lacks these rows:\n{}", missing.join("\n"));
}

fn tiny() -> Rules {
    rules_from_text(TINY, "test", Overrides::default()).unwrap()
}

fn changed(id: &str, goal: u32) -> Rules {
    let step = load(id, Overrides::default()).unwrap().step;
    load(id, Overrides { goal: Some(goal * step), max_dice: None }).unwrap()
}

/// The arithmetic of shipped tables: fractions of games in which dice are kept would take too long.
fn arithmetic_of(game: &Game) -> Arithmetic {
    if game.rules().keeps_dice() { Arithmetic::Float } else { Arithmetic::Exact }
}

fn solved(rules: Rules) -> Table {
    let game = Game::new(rules).unwrap();
    let arithmetic = arithmetic_of(&game);
    Table::new(&game, &equilibrium(&game, arithmetic, &Watch::silent()).unwrap(), None)
}

/// Reads everything in a table, if the bytes are one.
fn read_all(bytes: &[u8]) {
    let Ok(table) = Table::from_bytes(bytes) else { return };
    assert_eq!(table.plan().action(0), table.best()[0].trailing_zeros() as usize);
    // Larger games take long, and test no other code.
    if table.rules().is_ok_and(|rules| rules.goal < 50) {
        let _ = table.game();
    }
}

fn assert_rebuilt(id: &str) {
    let stored = std::fs::read(&tables()[id]).unwrap();
    let rebuilt = solved(load(id, Overrides::default()).unwrap()).to_bytes();
    assert!(
        stored == rebuilt,
        "tables/{id}.hog is not what `hog solve {id}` makes: solve it again"
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tables")
}

/// Returns the shipped tables by name.
fn tables() -> BTreeMap<String, PathBuf> {
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.extension().is_some_and(|extension| extension == "hog"));
    tables.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect()
}

/// Returns the body of a file before compression.
fn inflated(file: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    std::io::copy(&mut flate2::read::ZlibDecoder::new(&file[HEADER..]), &mut body).unwrap();
    body
}

/// Returns a file with this body and a matching header.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut file = solved(tiny()).to_bytes();
    file.truncate(HEADER);
    let mut encoder = flate2::write::ZlibEncoder::new(&mut file, flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, body).unwrap();
    encoder.finish().unwrap();
    let length = (file.len() - HEADER) as u64;
    file[24..32].copy_from_slice(&length.to_le_bytes());
    file[32..40].copy_from_slice(&(body.len() as u64).to_le_bytes());
    seal(&mut file);
    file
}

/// Corrects the checksum.
fn seal(file: &mut [u8]) {
    let checksum = crc32(&file[16..]);
    file[12..16].copy_from_slice(&checksum.to_le_bytes());
}

/// CRC-32 (IEEE 802.3, reflected, polynomial EDB88320), bit by bit; it shares no code with the
/// library.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_table_of_a_game_in_which_dice_are_kept_is_read_and_keeps_its_win_rates() {
    let text = include_str!("../../../rules/games/kcd.toml");
    let overrides = Overrides { goal: Some(500), max_dice: None };
    let game = Game::new(rules_from_text(text, "kcd", overrides).unwrap()).unwrap();
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let table = Table::new(&game, &solution, None).packed();
    let read = Table::from_bytes(&table.to_bytes()).unwrap();
    assert_eq!(read.rules().unwrap().fingerprint(), game.rules().fingerprint());
    // Which dice to keep follows from the win rates alone.
    assert_eq!(read.stored_win_rates(), solution.own.win_rates);
}
