//! Files of rolls, in any of the forms in which tables are kept. What a file holds decides how it
//! is read, not its name:
//!
//! * **a NumPy array** (`.npy`, [`npy`](super::npy)) of integers with axes `[score][opponent]`;
//! * **rows** of whole numbers ([`grid`](super::grid)), one for each of the mover's scores from 0;
//! * **a list of lists**, as JSON and Python write it ([`lists`](super::lists));
//! * **a dictionary** of pairs of scores, as Python and JSON write it
//!   ([`dictionary`](super::dictionary));
//! * **columns** score, opponent and dice ([`columns`](super::columns)), or JSON objects with these
//!   keys, also those of `hog solve --to json`.
//!
//! Rows, lists and arrays may be longer than the goal, and columns may have scores past it: what
//! lies past the goal is never asked. In a game with memories an array may have the further axes
//! that `hog solve --to npy` writes, and columns those of the memories.

use super::numbers::{NumberArray, READ, square};
use super::{FileFault, columns, dictionary, grid, lists, npy};
use crate::game::{Game, Plan};

/// Reads a file of rolls.
///
/// # Errors
/// Returns a message, with the number of the line or the scores where possible, if the file is of
/// no form that is read, or does not give a number of dice that the game allows for every position.
pub fn read_rolls(bytes: &[u8], game: &Game) -> Result<Plan, FileFault> {
    if bytes.starts_with(npy::MAGIC) {
        let (layout, numbers) = npy::NpyLayout::read(bytes)?;
        // Before memory is allocated for numbers of another shape.
        square(&layout.shape, game)?;
        let numbers = NumberArray { values: layout.numbers(numbers)?, shape: layout.shape };
        return Ok(numbers.plan(game)?);
    }
    if let Some(form) = foreign(bytes) {
        return Err(format!("it is {form}, which is not read; {READ}").into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        FileFault::at(line, "it is not UTF-8 text; save the file as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        None => Err(format!("it is empty; {READ}").into()),
        Some('{') if text.contains("\"states\"") => Ok(columns::read_document(text, game)?),
        Some('[') if text.contains('{') => Ok(columns::read_document(text, game)?),
        _ if dictionary::begins(text) => dictionary::read(text, game).map_err(|mut fault| {
            fault.reason += &format!("; {READ}");
            fault
        }),
        _ if text.lines().any(|line| line.starts_with("def ")) => {
            Err("it is a Python program: its name must end in .py".to_owned().into())
        }
        _ if lists::begins(text) => Ok(lists::read(text)?.plan(game)?),
        _ if columns::are_headed(text) => columns::read(text, game),
        _ => Ok(grid::read(text, game)?.plan(game)?),
    }
}

/// Returns the name of a known form of other files.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x80, ..] => Some("a pickle"),
        [b'P', b'K', 3, 4, ..] => Some("a spreadsheet or an archive (.xlsx, .npz, .zip)"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16 text"),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => Some("a spreadsheet (.xls)"),
        [b'%', b'P', b'D', b'F', ..] => Some("a PDF"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Overrides, load};

    fn game(id: &str, goal: u32) -> Game {
        Game::new(load(id, Overrides { goal: Some(goal), max_dice: None }).unwrap()).unwrap()
    }

    /// In each form the rolls are 10 s + o, at the scores s and o below 2 (or 3: past the goal).
    #[test]
    fn every_form_gives_the_same_plan() {
        let game = game("fa21", 2);
        let expected = vec![0, 1, 10, 9];
        for text in [
            "0 1\n10 9\n",
            "# rolls\nstrategy mine\n01\nA9\n",
            "0,1\n10,9\n",
            "0;1;\n10;9;\n",
            "\u{feff}0\t1\r\n10\t9\r\n",
            "0\n1\n10\n9\n",
            "0 1 10 9",
            "0.000000000000000000e+00 1.000000000000000000e+00\n\
             1.000000000000000000e+01 9.000000000000000000e+00\n",
            "0 1 7\n10 9 7\n7 7 99\n",
            ",0,1\n0,0,1\n1,10,9\n",
            "[[0, 1], [10, 9]]",
            "[0, 1, 10, 9]",
            "{(0, 0): 0, (0, 1): 1, (1, 0): 10, (1, 1): 9, (2, 2): 99}",
            "{(1, 1): 9,\n (1, 0): 10, (0, 1): 1.0,  # ahead\n (0, 0): 0}\n",
            "rolls = {0: {0: 0, 1: 1}, 1: {0: 10, 1: 9}}\n",
            "{\"0\": [0, 1], \"1\": [10, 9]}",
            "# mine\n(0, 0): 0\n(0, 1): 1\n(1, 0): 10,\n(1, 1): 9\n",
            "0,0: 0\n0,1: 1\n1,0: 10\n1,1: 9",
            "[0, 1]\n[10, 9]\n",
            "{\"0,0\": 0, \"0,1\": 1, \"1,0\": 10, \"1, 1\": 9}",
            "{\"0\": {\"0\": 0, \"1\": 1}, \"1\": {\"0\": 10, \"1\": 9}}",
            "{'0,0': '0', '0,1': '1', '1,0': '10', '(1, 1)': '9'}",
            "rolls = [[0, 1, -5],\n         [10, 9, 7],  # ahead\n         [0, 0, 0]]\n",
            "((0, 1), (10, 9))",
            "array([[ 0,  1],\n       [10,  9]], dtype=int8)",
            "np.array([[0, 1], [10, 9]])",
            "[[ 0  1]\n [10  9]]",
            "score,opponent,dice\n0,0,0\n0,1,1\n1,0,10\n1,1,9\n",
            "\"Score\";\"Opponent_Score\";\"num_rolls\"\n0;0;0\n0;1;1\n1;0;10\n1;1;9\n2;7;99\n",
            "opponent_score\tplayer_score\trolls\n0\t0\t0\n1\t0\t1\n0\t1\t10\n1\t1\t9.0\n",
            "score opponent  dice\n0 0  0\n0 1  1\n1 0 10\n1 1  9\n",
            r#"{"goal": 2, "states":[
              {"score":0,"opponent":0,"best":[0,4]},{"score":0,"opponent":1,"best":[1]},
              {"score":1,"opponent":0,"best":[10]},{"score":1,"opponent":1,"best":[9]}]}"#,
            r#"[{"score":0,"opponent_score":0,"dice":0},{"score":0,"opponent_score":1,"dice":1},
              {"score":1,"opponent_score":0,"dice":10},{"score":1,"opponent_score":1,"dice":9}]"#,
        ] {
            let plan = read_rolls(text.as_bytes(), &game);
            let plan = plan.unwrap_or_else(|error| panic!("{text}\n{error}"));
            let dice: Vec<i32> = (0..4).map(|cell| game.space().dice(plan.action(cell))).collect();
            assert_eq!(dice, expected, "{text}");
        }
    }

    /// `DataFrame.to_csv` writes the numbers of columns above the rows, and those of rows before
    /// them unless told not to.
    #[test]
    fn rows_and_columns_that_count_are_headings() {
        let game = game("fa21", 20);
        let row = |of: &dyn Fn(usize) -> String| (0..20).map(of).collect::<Vec<_>>().join(",");
        let counted = row(&|column| column.to_string());
        let rows = |labelled: bool| -> String {
            let label = |score| if labelled { format!("{score},") } else { String::new() };
            (0..20).map(|score| format!("{}{}\n", label(score), row(&|_| "4".into()))).collect()
        };
        for text in [format!("{counted}\n{}", rows(false)), format!(",{counted}\n{}", rows(true))] {
            let plan = read_rolls(text.as_bytes(), &game).unwrap();
            assert!((0..400).all(|cell| game.space().dice(plan.action(cell)) == 4));
        }
    }

    #[test]
    fn each_form_that_is_not_read_is_named() {
        let game = game("fa21", 2);
        for (bytes, words) in [
            (&b"\x80\x04\x95"[..], &["a pickle", "np.savetxt"][..]),
            (b"PK\x03\x04", &["a spreadsheet or an archive"]),
            (b"\xff\xfe0\0", &["UTF-16"]),
            (b"4 4\n4 \xff\n", &["line 2", "not UTF-8 text"]),
            (b" \n", &["it is empty"]),
            (b"{(0, 0): 4, (0, 1): 5}", &["no roll for 1-0", "a JSON list of lists"]),
            (b"{\"0\": {\"0\": 4}", &["line 1", "a `}` is missing"]),
            (b"{(0, 0): 4,\n (0): 5}", &["line 2", "`(0)` is no pair of scores"]),
            (b"{(0, 0): 4,\n\n (0, 1): four}", &["line 3", "`four` is not a whole number"]),
            (b"{0: {0: 4, 0: 5}}", &["line 1", "a second roll for 0-0"]),
            (b"[[4, 4], [4]]", &["line 1", "1 number; the first has 2"]),
            (b"[[4, 4], 4]", &["line 1", "`4`"]),
            (b"[[4 4 ... 4 4]\n [4 4 ... 4 4]]", &["line 1", "cut off"]),
            (b"[[4, 4], [4, 4]", &["`]`"]),
            (b"[[4, None], [4, 4]]", &["line 1", "`None`"]),
            (b"\"\"\"CS\"\"\"\ndef final_strategy(a, b):\n    return 4\n", &["end in .py"]),
            (b"[[4, 4.5], [4, 4]]", &["line 1", "`4.5` is not a whole number"]),
            (b"4 4\n4 nan\n", &["line 2", "`nan` is not a whole number"]),
            (b"score,dice\n0,4\n", &["no column `opponent`", "opponent_score", "`score`, `dice`"]),
            (
                b"my strategy is to be lucky\n",
                &["not a table of rolls", "`my`, `strategy`", "a JSON list of lists"],
            ),
            (b"[{\"score\":0,\"opponent\":0}]", &["`dice`"]),
        ] {
            let error = read_rolls(bytes, &game).unwrap_err().to_string();
            for word in words {
                assert!(error.contains(word), "{}: {error}", String::from_utf8_lossy(bytes));
            }
        }
    }

    #[test]
    fn columns_without_headings_are_told_the_headings() {
        let game = game("fa21", 20);
        let lines: String =
            (0..400).map(|cell| format!("{};{};4\n", cell / 20, cell % 20)).collect();
        let error = read_rolls(lines.as_bytes(), &game).unwrap_err().to_string();
        assert!(
            error.contains("line 1: it has 3 rolls; 20 are needed")
                && error.contains("`score,opponent,dice`")
        );
    }

    #[test]
    fn memories_are_columns_keys_or_axes() {
        let game = game("fa19", 6);
        let space = game.space();
        let dice = |state: usize| (state % 7) as i32;
        let names = crate::game::memory_names(game.rules());
        let mut csv = format!("score,opponent_score,{},num_rolls\n", names.join(","));
        let mut states = Vec::new();
        for state in 0..space.states() {
            let position = game.position(state);
            let memory = position.memory.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            csv += &format!("{},{},{memory},{}\n", position.score, position.opponent, dice(state));
            let mut object = serde_json::json!({
                "score": position.score, "opponent": position.opponent, "best": [dice(state)]
            });
            for (name, value) in names.iter().zip(&position.memory) {
                object[name] = (*value).into();
            }
            states.push(object);
        }
        let json = serde_json::json!({ "states": states }).to_string();
        for text in [csv, json] {
            let plan = read_rolls(text.as_bytes(), &game).unwrap();
            assert!(
                (0..space.states()).all(|state| space.dice(plan.action(state)) == dice(state)),
                "{text:.60}"
            );
        }
    }
}
