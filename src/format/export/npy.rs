//! NumPy's `.npy`: the best rolls as an array indexed `[score, opponent]`, with the memories as further axes.

use std::io::{self, Write};

use ndarray::{ArrayD, IxDyn};
use ndarray_npy::WriteNpyExt;

use super::{Exporter, SolvedTable, unfit};

/// Writes 8-bit integers in row order: axes score, opponent, then, where the game has them, the classes of the
/// shared memory, of the opponent's and of the mover's.
pub(super) struct Npy;

impl Exporter for Npy {
    fn export(&self, solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
        let space = solved.game.space();
        let mut shape = vec![space.goal, space.goal];
        if space.shared > 1 {
            shape.push(space.shared);
        }
        if space.mine > 1 {
            shape.extend([space.mine, space.mine]);
        }
        let dice: Vec<i8> = (0..space.states()).map(|state| solved.dice(state) as i8).collect();
        let array = ArrayD::from_shape_vec(IxDyn(&shape), dice).expect("one roll a state");
        array.write_npy(out).map_err(|error| match error {
            ndarray_npy::WriteNpyError::Io(error) => error,
            other => unfit(other.to_string()),
        })
    }
}
