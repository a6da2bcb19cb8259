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
    let mut line = Vec::new();
    input.take(LONGEST_LINE + 1).read_until(b'\n', &mut line).context("cannot read standard input")?;
    if line.len() as u64 > LONGEST_LINE {
        bail!("a line of standard input is longer than {LONGEST_LINE} bytes: write one {what} per line");
    }
    Ok(if line.is_empty() { None } else { Some(line) })
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
        assert_eq!(error, "a line of standard input is longer than 1048576 bytes: write one turn per line");
    }
}
