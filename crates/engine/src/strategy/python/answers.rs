//! An incremental parser for the output of a strategy's process: its answers, or a fault.

use std::path::PathBuf;

use super::fault::{At, PythonFault};
use super::launcher::MEMORY_MIB;
use super::{SCORES, is_name};

/// The questions to a strategy: its number of dice at every pair of scores below the goal.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// The name of the function.
    pub function: String,
    pub goal: usize,
    /// The smallest and the largest allowed number of dice.
    pub range: (i32, i32),
    /// The names of the arguments with which the function is called.
    pub arguments: String,
    /// A description of the files that the strategy may read, for messages.
    pub readable: String,
    /// The folder of its file.
    pub folder: PathBuf,
}

/// The order of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionOrder {
    /// By the mover's score, then by the opponent's.
    Rows,
    /// A fixed permutation in which neighbouring cells are far apart.
    Scattered,
}

impl QuestionOrder {
    /// Returns the cell that is asked about at a place of the order. `harness.py` computes the
    /// same.
    fn cell(self, place: usize, cells: usize) -> usize {
        let step = if cells.is_multiple_of(7919) { 7907 } else { 7919 };
        match self {
            Self::Rows => place,
            Self::Scattered => (place * step + 1) % cells,
        }
    }

    /// Returns the order's name in the harness's input.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Scattered => "scattered",
        }
    }
}

/// The parser's state, with the answers so far.
pub(super) struct Answers<'a> {
    questions: &'a Questions,
    order: QuestionOrder,
    secret: String,
    line: Vec<u8>,
    loaded: bool,
    /// In the order of the questions.
    given: Vec<i32>,
    drawn: Option<Drawn>,
    done: bool,
}

/// The call that drew the first random number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The function called.
    pub call: String,
    /// The line in the strategy's file; 0 if unknown.
    pub line: usize,
}

/// All answers of one process.
#[derive(Debug)]
pub(super) struct Complete {
    /// The number of dice at each pair of scores, at index `score * goal + opponent`.
    pub dice: Vec<i32>,
    /// The first random number that was drawn, if draws were traced.
    pub drawn: Option<Drawn>,
}

/// Parses the output of a strategy's process, each line of which begins with `secret`. Returns the
/// numbers of dice at index `score * goal + opponent`, or `None` if the output is incomplete. For
/// programs that test this parser.
///
/// # Errors
/// Returns the fault that the output reports, or that it contains.
pub fn read_answers(
    bytes: &[u8],
    secret: &str,
    goal: usize,
    range: (i32, i32),
) -> Result<Option<Vec<i32>>, PythonFault> {
    let questions = Questions {
        function: "final_strategy".into(),
        goal,
        range,
        arguments: SCORES.into(),
        readable: "nothing".into(),
        folder: PathBuf::new(),
    };
    let mut answers = Answers::new(&questions, QuestionOrder::Rows, secret.to_owned());
    answers.read(bytes)?;
    Ok(answers.are_complete().then(|| answers.complete().dice))
}

/// The longest line that the harness writes; a longer one is not its own.
const LONGEST_LINE: usize = 8192;

impl<'a> Answers<'a> {
    pub fn new(questions: &'a Questions, order: QuestionOrder, secret: String) -> Self {
        let given = Vec::with_capacity(questions.goal * questions.goal);
        Self {
            questions,
            order,
            secret,
            line: Vec::new(),
            loaded: false,
            given,
            drawn: None,
            done: false,
        }
    }

    fn cells(&self) -> usize {
        self.questions.goal * self.questions.goal
    }

    /// Returns where the strategy is: loading its file, or at the scores of the next answer.
    pub fn at(&self) -> At {
        if !self.loaded {
            return At::Loading;
        }
        let cell = self.order.cell(self.given.len().min(self.cells() - 1), self.cells());
        At::Scores((cell / self.questions.goal) as u32, (cell % self.questions.goal) as u32)
    }

    /// Returns where the strategy is at the earliest: answers arrive in batches, so it may have
    /// answered more.
    pub fn after(&self) -> At {
        match self.at() {
            At::Scores(score, opponent) => At::After(score, opponent),
            at => at,
        }
    }

    /// Whether all answers have been read.
    pub fn are_complete(&self) -> bool {
        self.done
    }

    /// Returns all answers; call it when they are complete.
    pub fn complete(self) -> Complete {
        let mut dice = vec![0; self.cells()];
        for (place, answer) in self.given.iter().enumerate() {
            dice[self.order.cell(place, self.cells())] = *answer;
        }
        Complete { dice, drawn: self.drawn }
    }

    /// Parses the next bytes of the output.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), PythonFault> {
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.line);
                    self.take(&line)?;
                }
                _ if self.line.len() >= LONGEST_LINE => return Err(self.meddled()),
                byte => self.line.push(*byte),
            }
        }
        Ok(())
    }

    fn meddled(&self) -> PythonFault {
        PythonFault::Meddled { at: self.after() }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), PythonFault> {
        let text =
            std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(self.secret.as_str()));
        let text = text.ok_or_else(|| self.meddled())?;
        match text.split_once(' ').unwrap_or((text, "")) {
            ("loaded", "") if !self.loaded => self.loaded = true,
            ("done", "") if self.given.len() == self.cells() => self.done = true,
            ("random", drawn) if self.loaded && self.drawn.is_none() => {
                self.drawn = Some(read_drawn(drawn).ok_or_else(|| self.meddled())?)
            }
            (kind, fields) if kind.starts_with('!') => {
                return Err(self.fault(&kind[1..], fields).unwrap_or_else(|| self.meddled()));
            }
            _ if self.loaded => {
                for answer in text.split(' ') {
                    let dice = answer.parse().map_err(|_| self.meddled())?;
                    self.answer(dice)?;
                }
            }
            _ => return Err(self.meddled()),
        }
        Ok(())
    }

    fn answer(&mut self, dice: i32) -> Result<(), PythonFault> {
        let (min, max) = self.questions.range;
        if !(min..=max).contains(&dice) {
            return Err(PythonFault::OutOfRange {
                at: self.at(),
                shown: dice.to_string(),
                min,
                max,
            });
        }
        if self.given.len() == self.cells() {
            return Err(self.meddled());
        }
        self.given.push(dice);
        Ok(())
    }

    /// Parses a fault as the harness writes it; `None` if it is malformed.
    fn fault(&self, kind: &str, fields: &str) -> Option<PythonFault> {
        let (at, (min, max)) = (self.at(), self.questions.range);
        let fields = decoded(fields)?;
        let field = |place: usize| fields.get(place).cloned();
        let line = |place: usize| field(place)?.parse::<usize>().ok();
        // The module may be in the strategy's folder without being readable.
        let is_beside = |module: &str| {
            let path = self.questions.folder.join(module);
            is_name(module) && (path.is_dir() || path.with_extension("py").exists())
        };
        Some(match kind {
            "syntax" => {
                PythonFault::Syntax { line: line(0)?, message: field(1)?, column: line(2)? }
            }
            "arguments" => PythonFault::Arguments {
                line: line(0)?,
                takes: field(1)?,
                given: self.questions.arguments.clone(),
            },
            "module" if !is_beside(field(2)?.split('.').next()?) => {
                PythonFault::NoModule { at, line: line(0)?, error: field(1)? }
            }
            "missing" => PythonFault::Missing {
                name: self.questions.function.clone(),
                known: field(0)?,
                is_method: field(1).is_some_and(|word| !word.is_empty()),
            },
            "raised" => PythonFault::Raised { at, line: line(0)?, error: field(1)? },
            "forbidden" | "module" => {
                let readable = self.questions.readable.clone();
                PythonFault::Forbidden { at, line: line(0)?, error: field(1)?, readable }
            }
            "memory" => PythonFault::Memory { at, mebibytes: MEMORY_MIB },
            "kind" => PythonFault::NotWhole { at, shown: field(0)?, kind: field(1)? },
            "range" => PythonFault::OutOfRange { at, shown: field(0)?, min, max },
            // The caller adds the time limit.
            "late" => PythonFault::TooLong { at, line: line(0)?, seconds: 0 },
            _ => return None,
        })
    }
}

fn read_drawn(fields: &str) -> Option<Drawn> {
    let fields = decoded(fields)?;
    Some(Drawn { call: fields.first()?.clone(), line: fields.get(1)?.parse().ok()? })
}

/// Decodes texts in hexadecimal digits, two per byte. Control characters become spaces, so that a
/// terminal can show them.
fn decoded(fields: &str) -> Option<Vec<String>> {
    fields.split(' ').map(decode).collect()
}

fn decode(digits: &str) -> Option<String> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
    Some(
        String::from_utf8_lossy(&bytes?)
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect(),
    )
}

/// Encodes bytes in hexadecimal digits.
pub(super) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions() -> Questions {
        let (arguments, readable) = (SCORES.into(), "nothing".into());
        Questions {
            function: "f".into(),
            goal: 2,
            range: (0, 10),
            arguments,
            readable,
            folder: PathBuf::new(),
        }
    }

    fn read(order: QuestionOrder, text: &[u8]) -> Result<Option<Complete>, PythonFault> {
        let questions = questions();
        let mut answers = Answers::new(&questions, order, "s:".into());
        answers.read(text)?;
        Ok(answers.are_complete().then(|| answers.complete()))
    }

    #[test]
    fn answers_are_put_in_order() {
        assert!(read(QuestionOrder::Rows, b"s:loaded\ns:0 1 2\ns:3\ns:do").unwrap().is_none());
        let complete =
            read(QuestionOrder::Rows, b"s:loaded\ns:0 1 2\ns:3\ns:done\n").unwrap().unwrap();
        assert_eq!((complete.dice, complete.drawn), (vec![0, 1, 2, 3], None));
        // 4 cells: scattered are (i * 7919 + 1) % 4 = 1, 0, 3, 2.
        let complete =
            read(QuestionOrder::Scattered, b"s:loaded\ns:1 0 3 2\ns:random 66 37\ns:done\n")
                .unwrap()
                .unwrap();
        assert_eq!(complete.dice, [0, 1, 2, 3]);
        assert_eq!(complete.drawn, Some(Drawn { call: "f".into(), line: 7 }));
    }

    #[test]
    fn forged_and_malformed_lines_are_refused() {
        let forged = [
            "loaded\n",
            "s:loaded\n5\n",
            "s:loaded\ns:x\n",
            "s:3\n",
            "s:loaded\ns:done\n",
            "s:random 66 37\n",
        ];
        for text in forged.into_iter().chain([
            "s:loaded\ns:1 2 3 4 5\n",
            "s:loaded\ns:1  2\n",
            "s:loaded\ns:loaded\n",
        ]) {
            assert!(
                matches!(
                    read(QuestionOrder::Rows, text.as_bytes()),
                    Err(PythonFault::Meddled { .. })
                ),
                "{text:?}"
            );
        }
        assert!(
            read(QuestionOrder::Rows, &[b'x'; 2 * LONGEST_LINE]).is_err(),
            "a line without an end is refused"
        );
        let fault = read(QuestionOrder::Rows, b"s:loaded\ns:1 11\n").unwrap_err();
        assert_eq!(fault.to_string(), "at 0-1: it rolls 11 dice; the game allows 0 to 10");
    }

    #[test]
    fn faults_are_parsed_with_their_place() {
        let text = format!(
            "s:loaded\ns:4\ns:!raised {} {}\n",
            encode(b"7"),
            encode("ValueError: \x1b[1mé".as_bytes())
        );
        let fault = read(QuestionOrder::Rows, text.as_bytes()).unwrap_err();
        assert_eq!(fault.to_string(), "at 0-1: it raises ValueError:  [1mé in line 7");
        let fault = read(QuestionOrder::Rows, b"s:!missing \n").unwrap_err();
        assert_eq!(fault.to_string(), "it defines no function `f`; it has no functions at all");
        assert!(matches!(
            read(QuestionOrder::Rows, b"s:!nonsense\n"),
            Err(PythonFault::Meddled { .. })
        ));
    }
}
