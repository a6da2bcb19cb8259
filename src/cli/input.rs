//! Lines of standard input.

use std::io::{BufRead, Read as _};

use anyhow::{Context as _, bail};

/// The longest line accepted, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads a line, which gives one `what`, with its end; `None` at the end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read, or the line is longer than [`LONGEST_LINE`].
pub(super) fn read_line(input: &mut impl BufRead, what: &str) -> anyhow::Result<Option<Vec<u8>>> {
    match read_bounded(input)? {
        Some(line) if is_too_long(&line) => bail!("{}", too_long(what)),
        line => Ok(line),
    }
}

/// As [`read_line`], but a line that is too long is returned without what follows its first
/// [`LONGEST_LINE`] bytes and one more.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub(super) fn read_start_of_line(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let line = read_bounded(input)?;
    if line.as_ref().is_some_and(|line| is_too_long(line) && !line.ends_with(b"\n")) {
        input.skip_until(b'\n').context(UNREADABLE)?;
    }
    Ok(line)
}

const UNREADABLE: &str = "cannot read standard input";

fn read_bounded(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line).context(UNREADABLE)?;
    Ok(if line.is_empty() { None } else { Some(line) })
}

/// Returns whether a line is longer than [`LONGEST_LINE`], with its end.
pub(super) fn is_too_long(line: &[u8]) -> bool {
    line.len() as u64 > LONGEST_LINE
}

/// The message for a line longer than [`LONGEST_LINE`].
pub(super) fn too_long(what: &str) -> String {
    format!(
        "a line of standard input is longer than {LONGEST_LINE} bytes: write one {what} per line"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_up_to_the_limit() {
        let longest = vec![b'x'; LONGEST_LINE as usize];
        let mut input = [b"a\n\nb", &longest[1..]].concat();
        let mut left = &input[..];
        let mut next = || read_line(&mut left, "turn").unwrap();
        assert_eq!([next(), next()], [Some(b"a\n".to_vec()), Some(b"\n".to_vec())]);
        assert_eq!(next().map(|line| line.len()), Some(longest.len()));
        assert_eq!(next(), None);
        input.push(b'x');
        let mut left = &input[3..];
        let error = read_line(&mut left, "turn").unwrap_err().to_string();
        let mut left = &input[3..];
        assert_eq!(
            read_start_of_line(&mut left).unwrap().map(|line| is_too_long(&line)),
            Some(true)
        );
        assert_eq!(read_start_of_line(&mut left).unwrap(), None);
        assert_eq!(
            error,
            "a line of standard input is longer than 1048576 bytes: write one turn per line"
        );
    }
}
