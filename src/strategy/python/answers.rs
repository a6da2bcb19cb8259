//! What comes back from a strategy's process, read as it comes: the answers of both rounds, or a fault.

use super::fault::{At, PythonFault};
use super::launcher::MEMORY_MIB;

/// The answers so far.
pub(super) struct Answers {
    secret: String,
    goal: usize,
    /// The fewest and the most dice.
    range: (i32, i32),
    function: String,
    line: Vec<u8>,
    loaded: bool,
    first: Vec<i32>,
    /// How many answers of the second round came.
    repeated: usize,
    done: bool,
}

/// The step from one question to the next in the second round; the same as in `harness.py`.
fn step(cells: usize) -> usize {
    if cells.is_multiple_of(7919) { 7907 } else { 7919 }
}

/// The longest line that is no mischief.
const LONGEST_LINE: usize = 4096;

impl Answers {
    pub fn new(secret: String, goal: usize, range: (i32, i32), function: String) -> Self {
        Self {
            secret,
            goal,
            range,
            function,
            line: Vec::new(),
            loaded: false,
            first: Vec::with_capacity(goal * goal),
            repeated: 0,
            done: false,
        }
    }

    /// The question that is being answered.
    pub fn at(&self) -> At {
        let cells = self.goal * self.goal;
        let cell = if self.first.len() < cells {
            self.first.len()
        } else {
            (self.repeated.min(cells - 1) * step(cells) + 1) % cells
        };
        if self.loaded { At::Scores((cell / self.goal) as u32, (cell % self.goal) as u32) } else { At::Loading }
    }

    /// True if both rounds are complete.
    pub fn are_complete(&self) -> bool {
        self.done
    }

    /// The number of dice of each pair of scores, the mover's counting slowest.
    pub fn into_dice(self) -> Vec<i32> {
        self.first
    }

    /// Takes in what came.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), PythonFault> {
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = std::mem::take(&mut self.line);
                    self.take(&line)?;
                }
                _ if self.line.len() >= LONGEST_LINE => return Err(PythonFault::Meddled { at: self.at() }),
                byte => self.line.push(*byte),
            }
        }
        Ok(())
    }

    fn take(&mut self, line: &[u8]) -> Result<(), PythonFault> {
        let meddled = PythonFault::Meddled { at: self.at() };
        let text = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(self.secret.as_str()));
        match text.ok_or(meddled.clone())? {
            "loaded" if !self.loaded => {
                self.loaded = true;
                Ok(())
            }
            "done" if self.repeated == self.goal * self.goal => {
                self.done = true;
                Ok(())
            }
            text => match text.strip_prefix('!') {
                Some(fault) => Err(self.fault(fault).unwrap_or(meddled)),
                None if self.loaded => self.answer(text.parse().map_err(|_| meddled.clone())?, meddled),
                None => Err(meddled),
            },
        }
    }

    fn answer(&mut self, dice: i32, meddled: PythonFault) -> Result<(), PythonFault> {
        let (at, (min, max), cells) = (self.at(), self.range, self.goal * self.goal);
        if !(min..=max).contains(&dice) {
            return Err(PythonFault::OutOfRange { at, shown: dice.to_string(), min, max });
        }
        if self.first.len() < cells {
            self.first.push(dice);
            return Ok(());
        }
        if self.repeated == cells {
            return Err(meddled);
        }
        let first = self.first[(self.repeated * step(cells) + 1) % cells];
        self.repeated += 1;
        if first == dice { Ok(()) } else { Err(PythonFault::Impure { at, first, then: dice }) }
    }

    /// A fault as the harness writes it.
    fn fault(&self, text: &str) -> Option<PythonFault> {
        let mut parts = text.split(' ');
        let (kind, at, (min, max)) = (parts.next()?, self.at(), self.range);
        let fields: Vec<String> = parts.map(decode).collect::<Option<_>>()?;
        let field = |place: usize| fields.get(place).map(|field| one_line(field));
        let line = |place: usize| field(place)?.parse::<usize>().ok();
        Some(match kind {
            "syntax" => PythonFault::Syntax { line: line(0)?, message: field(1)? },
            "missing" => PythonFault::Missing { name: self.function.clone(), known: field(0)? },
            "raised" => PythonFault::Raised { at, line: line(0)?, error: field(1)? },
            "forbidden" => PythonFault::Forbidden { at, line: line(0)?, error: field(1)? },
            "memory" => PythonFault::Memory { at, mebibytes: MEMORY_MIB },
            "kind" => PythonFault::NotWhole { at, shown: field(0)?, kind: field(1)? },
            "range" => PythonFault::OutOfRange { at, shown: field(0)?, min, max },
            _ => return None,
        })
    }
}

/// A text in hexadecimal digits, two for each byte.
fn decode(digits: &str) -> Option<String> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
    Some(String::from_utf8_lossy(&bytes?).into_owned())
}

/// What a strategy says, fit for a terminal: no control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text in hexadecimal digits.
pub(super) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        Answers::new("s:".into(), 2, (0, 10), "f".into())
    }

    #[test]
    fn both_rounds_are_read_and_compared() {
        let mut sound = answers();
        sound.read(b"s:loaded\ns:0\ns:1\ns:2\ns:3\n").unwrap();
        // 4 cells: the second round asks (i * 7919 + 1) % 4 = 1, 0, 3, 2.
        assert_eq!(sound.at(), At::Scores(0, 1));
        sound.read(b"s:1\ns:0\ns:3\ns:2\ns:do").unwrap();
        assert!(!sound.are_complete());
        sound.read(b"ne\n").unwrap();
        assert!(sound.are_complete());
        assert_eq!(sound.into_dice(), [0, 1, 2, 3]);

        let mut impure = answers();
        let fault = impure.read(b"s:loaded\ns:0\ns:1\ns:2\ns:3\ns:1\ns:5\n").unwrap_err();
        assert_eq!(fault, PythonFault::Impure { at: At::Scores(0, 0), first: 0, then: 5 });
    }

    #[test]
    fn lines_without_the_secret_are_no_answers() {
        for text in [&b"loaded\n"[..], b"s:loaded\n5\n", b"s:loaded\ns:x\n", b"s:3\n", b"s:loaded\ns:done\n"] {
            assert!(matches!(answers().read(text), Err(PythonFault::Meddled { .. })), "{text:?}");
        }
        assert!(answers().read(&[b'x'; 5000]).is_err(), "endless lines are cut off");
    }

    #[test]
    fn faults_are_read_with_their_place() {
        let mut late = answers();
        let text = format!("s:loaded\ns:4\ns:!raised {} {}\n", encode(b"7"), encode("ValueError: \x1b[1mé".as_bytes()));
        let fault = late.read(text.as_bytes()).unwrap_err();
        assert_eq!(fault.to_string(), "at 0-1: it raises ValueError:  [1mé in line 7");
        assert!(matches!(answers().read(b"s:!nonsense\n"), Err(PythonFault::Meddled { .. })));
    }
}
