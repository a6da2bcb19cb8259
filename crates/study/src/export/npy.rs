//! NumPy's `.npy`: the best rolls as an array indexed by `[score, opponent]`, with the memories as
//! further axes.

use std::io::{self, Write};

use super::SolvedTable;

/// Writes format 1.0: 8-bit integers in row-major order. The axes are score and opponent, then, if
/// the game has them, the classes of the shared memory, of the opponent's and of the mover's.
pub(super) fn write(solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
    let space = solved.about.game.space();
    let mut shape = vec![space.goal, space.goal];
    if space.shared > 1 {
        shape.push(space.shared);
    }
    if space.mine > 1 {
        shape.extend([space.mine, space.mine]);
    }
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    let text =
        format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({})}}", shape.join(", "));
    // The text starts at byte 10 and ends in a newline; the data must start at a multiple of
    // 64.
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 11;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&u16::try_from(padded + 1).expect("four axes at most").to_le_bytes())?;
    writeln!(out, "{text:padded$}")?;
    let dice: Vec<u8> =
        (0..space.states()).map(|state| (solved.dice(state) as i8).to_le_bytes()[0]).collect();
    out.write_all(&dice)
}
