//! An incremental parser for the output of a process: its answers, or a fault.

use std::path::Path;

use crate::confinement::most_memory;
use crate::fault::{At, Fault, InnerLine};
use crate::hex;
use crate::limits;
use crate::question::{Function, QuestionGrid, is_identifier};

/// The order of the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionOrder {
    /// By the first number, then by the second.
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
    function: &'a Function<'a>,
    questions: &'a QuestionGrid,
    order: QuestionOrder,
    secret: String,
    line: Vec<u8>,
    loaded: bool,
    /// In the order of the questions.
    given: Vec<i32>,
    drawn: Option<FirstDraw>,
    done: bool,
}

/// The call that drew the first random number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FirstDraw {
    /// The function called.
    pub call: String,
    /// The line in the file; 0 if unknown.
    pub line: usize,
}

/// All answers of one process.
#[derive(Debug)]
pub(super) struct Complete {
    /// The answer to `(a, b)` at index `a * below + b`.
    pub answers: Vec<i32>,
    /// The first random number that was drawn, if draws were traced.
    pub drawn: Option<FirstDraw>,
}

/// Parses the output of a process, each line of which begins with `secret`. Returns the answer to
/// `(a, b)` at index `a * below + b`, or `None` if the output is incomplete. For programs that test
/// this parser.
///
/// # Errors
/// Returns the fault that the output reports, or that it contains.
pub fn read_answers(
    bytes: &[u8],
    secret: &str,
    questions: &QuestionGrid,
) -> Result<Option<Vec<i32>>, Fault> {
    let function = nameless();
    let mut answers = Answers::new(&function, questions, QuestionOrder::Rows, secret.to_owned());
    answers.read(bytes)?;
    Ok(answers.are_complete().then(|| answers.complete().answers))
}

/// A function in no file, whose output is only parsed.
fn nameless() -> Function<'static> {
    Function {
        path: Path::new(""),
        source: b"",
        name: "f",
        parameters: "a, b",
        keywords: &[],
        stand_ins: &[],
        reads_its_folder: false,
        is_seeded: false,
        known_as: None,
    }
}

impl<'a> Answers<'a> {
    pub fn new(
        function: &'a Function<'a>,
        questions: &'a QuestionGrid,
        order: QuestionOrder,
        secret: String,
    ) -> Self {
        let given = Vec::with_capacity(questions.count());
        Self {
            function,
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
        self.questions.count()
    }

    /// Returns where the function is: loading its file, or at the next call.
    pub fn at(&self) -> At {
        if !self.loaded {
            return At::Loading;
        }
        let cell = self.order.cell(self.given.len().min(self.cells() - 1), self.cells());
        At::Call((cell / self.questions.below) as u32, (cell % self.questions.below) as u32)
    }

    /// Returns where the function is at the earliest: answers arrive in batches, so it may have
    /// answered more.
    pub fn after(&self) -> At {
        match self.at() {
            At::Call(a, b) => At::AfterCall(a, b),
            at => at,
        }
    }

    /// Whether all answers have been read.
    pub fn are_complete(&self) -> bool {
        self.done
    }

    /// Returns all answers; call it when they are complete.
    pub fn complete(self) -> Complete {
        let mut answers = vec![0; self.cells()];
        for (place, answer) in self.given.iter().enumerate() {
            answers[self.order.cell(place, self.cells())] = *answer;
        }
        Complete { answers, drawn: self.drawn }
    }

    /// Parses the next bytes of the output.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.line);
                    self.take(&line)?;
                }
                _ if self.line.len() >= limits::LINE_BYTES => return Err(self.forged()),
                byte => self.line.push(*byte),
            }
        }
        Ok(())
    }

    fn forged(&self) -> Fault {
        Fault::ForgedOutput { at: self.after() }
    }

    fn take(&mut self, line: &[u8]) -> Result<(), Fault> {
        let text =
            std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(self.secret.as_str()));
        let text = text.ok_or_else(|| self.forged())?;
        match text.split_once(' ').unwrap_or((text, "")) {
            ("loaded", "") if !self.loaded => self.loaded = true,
            ("done", "") if self.given.len() == self.cells() => self.done = true,
            ("random", drawn) if self.loaded && self.drawn.is_none() => {
                self.drawn = Some(self.read_drawn(drawn).ok_or_else(|| self.forged())?)
            }
            (kind, fields) if kind.starts_with('!') => {
                return Err(self.fault(&kind[1..], fields).unwrap_or_else(|| self.forged()));
            }
            _ if self.loaded => {
                for answer in text.split(' ') {
                    self.answer(answer.parse().map_err(|_| self.forged())?)?;
                }
            }
            _ => return Err(self.forged()),
        }
        Ok(())
    }

    fn answer(&mut self, answer: i32) -> Result<(), Fault> {
        if !self.questions.answers.contains(&answer) {
            return Err(self.out_of_range(answer.to_string()));
        }
        if self.given.len() == self.cells() {
            return Err(self.forged());
        }
        self.given.push(answer);
        Ok(())
    }

    fn out_of_range(&self, shown: String) -> Fault {
        let min = *self.questions.answers.start();
        let max = *self.questions.answers.end();
        Fault::OutOfRange { at: self.at(), shown, min, max }
    }

    /// Parses a fault as the harness writes it; `None` if it is malformed.
    fn fault(&self, kind: &str, fields: &str) -> Option<Fault> {
        let at = self.at();
        let fields = decoded(fields)?;
        Some(match (kind, &fields[..]) {
            ("syntax", [line, message, column, ..]) => {
                let column: usize = column.parse().ok()?;
                let column = if column > self.function.source.len() + 1 { 0 } else { column };
                Fault::Syntax { line: self.line(line)?, message: message.clone(), column }
            }
            ("arguments", [line, takes, ..]) => Fault::Arguments {
                line: self.line(line)?,
                takes: takes.clone(),
                given: self.function.arguments(),
            },
            ("module", [line, error, module, ..]) if !self.is_beside(module.split('.').next()?) => {
                Fault::NoModule { at, line: self.line(line)?, error: error.clone() }
            }
            ("missing", [known, rest @ ..]) => Fault::Missing {
                name: self.function.name.to_owned(),
                known: known.clone(),
                found: rest.first().cloned().unwrap_or_default(),
            },
            ("raised", [line, error, ..]) => {
                Fault::Raised { at, line: self.line(line)?, error: error.clone() }
            }
            ("forbidden", [line, error, ..]) | ("module", [line, error, _, ..]) => {
                Fault::Forbidden {
                    at,
                    line: self.line(line)?,
                    error: error.clone(),
                    reads_its_folder: self.function.reads_its_folder,
                }
            }
            ("memory", _) => Fault::Memory { at, mebibytes: most_memory() >> 20 },
            ("kind", [shown, kind, ..]) => {
                Fault::NotWhole { at, shown: shown.clone(), kind: kind.clone() }
            }
            ("range", [shown, ..]) => self.out_of_range(shown.clone()),
            ("endless", [line, ..]) => Fault::Endless { at, line: self.line(line)? },
            // The caller adds the time limit.
            ("late", [line, rest @ ..]) => {
                let inner = self.inner(rest);
                Fault::TooLong { at, line: self.line(line)?, inner, seconds: 0 }
            }
            _ => return None,
        })
    }

    /// Whether a module is in the file's folder; it may be there without being readable.
    fn is_beside(&self, module: &str) -> bool {
        let path = self.function.path.with_file_name(module);
        is_identifier(module) && (path.is_dir() || path.with_extension("py").exists())
    }

    /// Reads the function and the line in which another one is; `None` if there is none such.
    fn inner(&self, fields: &[String]) -> Option<InnerLine> {
        let [function, line, ..] = fields else { return None };
        let line = self.line(line).filter(|line| *line > 0)?;
        is_identifier(function).then(|| InnerLine { function: function.clone(), line })
    }

    fn read_drawn(&self, fields: &str) -> Option<FirstDraw> {
        let fields = decoded(fields)?;
        Some(FirstDraw { call: fields.first()?.clone(), line: self.line(fields.get(1)?)? })
    }

    /// Reads the number of a line of the file; 0, which is unknown, if the file has no such line.
    fn line(&self, digits: &str) -> Option<usize> {
        let line: usize = digits.parse().ok()?;
        let ends = self.function.source.iter().filter(|byte| matches!(byte, b'\n' | b'\r'));
        Some(if line > ends.count() + 1 { 0 } else { line })
    }
}

/// Decodes texts in hexadecimal digits, two per byte. Control characters become spaces, so that a
/// terminal can show them, and what is longer than [`limits::TEXT_CHARS`] becomes an ellipsis.
fn decoded(fields: &str) -> Option<Vec<String>> {
    fields.split(' ').map(decode).collect()
}

fn decode(digits: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&hex::decode(digits)?).replace(char::is_control, " ");
    Some(match text.char_indices().nth(limits::TEXT_CHARS) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::encode;

    fn read(order: QuestionOrder, text: &[u8]) -> Result<Option<Complete>, Fault> {
        let questions = QuestionGrid { below: 2, answers: 0..=10 };
        let function = Function { source: b"1\n2\r3\r\n5\n6\n7", ..nameless() };
        let mut answers = Answers::new(&function, &questions, order, "s:".into());
        answers.read(text)?;
        Ok(answers.are_complete().then(|| answers.complete()))
    }

    #[test]
    fn answers_are_put_in_order() {
        assert!(read(QuestionOrder::Rows, b"s:loaded\ns:0 1 2\ns:3\ns:do").unwrap().is_none());
        let complete =
            read(QuestionOrder::Rows, b"s:loaded\ns:0 1 2\ns:3\ns:done\n").unwrap().unwrap();
        assert_eq!((complete.answers, complete.drawn), (vec![0, 1, 2, 3], None));
        // 4 cells: scattered are (i * 7919 + 1) % 4 = 1, 0, 3, 2.
        let complete =
            read(QuestionOrder::Scattered, b"s:loaded\ns:1 0 3 2\ns:random 66 37\ns:done\n")
                .unwrap()
                .unwrap();
        assert_eq!(complete.answers, [0, 1, 2, 3]);
        assert_eq!(complete.drawn, Some(FirstDraw { call: "f".into(), line: 7 }));
    }

    #[test]
    fn faults_that_a_file_writes_itself_are_short_and_in_its_lines() {
        let fault = |line: &str, error: &str| {
            let fields = [encode(line.as_bytes()), encode(error.as_bytes())].join(" ");
            read(QuestionOrder::Rows, format!("s:!raised {fields}\n").as_bytes()).unwrap_err()
        };
        let Fault::Raised { error, line, .. } = fault("999999999", &"ä".repeat(1000)) else {
            panic!("an exception")
        };
        assert_eq!((error.chars().count(), line), (limits::TEXT_CHARS + 1, 0));
        let cut_by_harness = "a".repeat(limits::TEXT_CHARS) + "\u{2026}";
        let Fault::Raised { error, line, .. } = fault("7", &cut_by_harness) else {
            panic!("an exception")
        };
        assert_eq!((error, line), (cut_by_harness, 7));
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
                    Err(Fault::ForgedOutput { .. })
                ),
                "{text:?}"
            );
        }
        assert!(
            read(QuestionOrder::Rows, &[b'x'; 2 * limits::LINE_BYTES]).is_err(),
            "a line without an end is refused"
        );
        let fault = read(QuestionOrder::Rows, b"s:loaded\ns:1 11\n").unwrap_err();
        let shown = "11".to_owned();
        assert_eq!(fault, Fault::OutOfRange { at: At::Call(0, 1), shown, min: 0, max: 10 });
    }

    #[test]
    fn faults_are_parsed_with_their_place() {
        let text = format!(
            "s:loaded\ns:4\ns:!raised {} {}\n",
            encode(b"7"),
            encode("ValueError: \x1b[1mé".as_bytes())
        );
        let fault = read(QuestionOrder::Rows, text.as_bytes()).unwrap_err();
        let error = "ValueError:  [1mé".to_owned();
        assert_eq!(fault, Fault::Raised { at: At::Call(0, 1), error, line: 7 });
        let fault = read(QuestionOrder::Rows, b"s:!missing \n").unwrap_err();
        let (name, known) = ("f".to_owned(), String::new());
        assert_eq!(fault, Fault::Missing { name, known, found: String::new() });
        assert!(matches!(
            read(QuestionOrder::Rows, b"s:!nonsense\n"),
            Err(Fault::ForgedOutput { .. })
        ));
    }
}
