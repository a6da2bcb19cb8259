//! The latest layers once more, so that cells along a layer lie side by side.

use super::LANES;
use super::line::Line;
use super::setting::Setting;

/// What some states of the cells of the latest layers are worth to their movers.
#[derive(Debug, Default)]
pub(super) struct Diagonals {
    goal: usize,
    /// Numbers in a layer: of mover's scores from so many below 0 as a strip has columns, which are never used, to those past
    /// the goal that a turn may bring, and as many more.
    width: usize,
    /// So many layers are kept, of the one that is solved and those above it.
    kept: usize,
    /// The sum of scores of the layer that is solved, and its place.
    solved: (usize, usize),
    /// The places of these states among those of a cell; none for games that never ask for them.
    places: Vec<usize>,
    /// By place of the kind of landing and opponent's memory, where its state is among these.
    reached: Vec<usize>,
    /// By side and place: of each layer, those of sums of scores equal modulo those kept in turns, by mover's score. Where the
    /// opponent's is past the goal, the mover has lost: 0.
    numbers: Vec<f64>,
}

impl Diagonals {
    /// Room for the states to which outcomes lead whose arrivals depend on the points.
    pub fn new(setting: &Setting, sides: usize) -> Self {
        let kinds = setting.by_points.iter().map(|by_points| &setting.program.kinds[by_points.kind]);
        let passed = |kind| (0..setting.space.mine).map(move |memory| setting.passed(kind, memory));
        let states: Vec<usize> = kinds.flat_map(passed).collect();
        let mut places = states.clone();
        places.sort_unstable();
        places.dedup();
        let reached = states.iter().map(|state| places.binary_search(state).expect("one of them")).collect();
        let (goal, kept) = (setting.space.goal, setting.layers_seen() + 1);
        let width = Self::width(setting);
        let numbers = vec![0.0; sides * places.len() * kept * width];
        Self { goal, width, kept, solved: (0, 0), places, reached, numbers }
    }

    /// Numbers in a layer.
    pub fn width(setting: &Setting) -> usize {
        LANES + setting.space.goal + setting.program.farthest + LANES
    }

    /// How far ahead of the layer that is solved the cells of another one are, so many above, from a mover's score on that is
    /// [`LANES`] less; `None` if that is too far.
    pub fn ahead(setting: &Setting, above: usize, score: usize) -> Option<u32> {
        u32::try_from(above * Self::width(setting) + score).ok()
    }

    /// Forgets all layers; past the goal, the mover's score is worth `past`.
    pub fn restart(&mut self, past: f64) {
        self.solved = (0, 0);
        for layer in self.numbers.chunks_exact_mut(self.width) {
            let (on_board, beyond) = layer.split_at_mut(LANES + self.goal);
            on_board.fill(0.0);
            beyond.fill(past);
        }
    }

    /// Turns to a layer: zeros, until it is solved.
    pub fn turn(&mut self, sum: usize) {
        self.solved = (sum, sum % self.kept);
        for layers in self.numbers.chunks_exact_mut(self.kept * self.width) {
            layers[self.solved.1 * self.width + LANES..][..self.goal].fill(0.0);
        }
    }

    /// Keeps the results of the layer that is solved, of a board that is one block.
    pub fn keep(&mut self, side: usize, line: &Line) {
        let sum = self.solved.0;
        let scores = (sum + 1).saturating_sub(self.goal)..(sum + 1).min(self.goal);
        let of_side = self.numbers.chunks_exact_mut(self.kept * self.width).skip(side * self.places.len());
        for (place, layers) in self.places.iter().zip(of_side) {
            let layer = &mut layers[self.solved.1 * self.width + LANES..];
            let (values, _) = line.from(*place, line.spot(scores.start));
            layer[scores.clone()].copy_from_slice(&values[..scores.len()]);
        }
    }

    /// Of a side, the numbers of the states to which outcomes lead, by place of their kind and opponent's memory: as many as a
    /// strip has columns, so far [`ahead`](Self::ahead).
    #[inline(always)]
    pub fn window(&self, (side, which): (usize, usize), ahead: u32) -> &[f64; LANES] {
        let (first, end) = (self.solved.1 * self.width + ahead as usize, self.kept * self.width);
        let first = if first < end { first } else { first - end };
        let of_place = (side * self.places.len() + self.reached[which]) * end;
        self.numbers[of_place + first..].first_chunk().expect("there are as many more on both sides")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that tells its cell.
    fn number(score: usize, opponent: usize) -> f64 {
        (10 * score + opponent) as f64
    }

    #[test]
    fn cells_along_a_layer_lie_side_by_side_while_it_is_kept() {
        let (goal, farthest, past) = (5, 2, 1.0);
        let width = LANES + goal + farthest + LANES;
        let numbers = vec![0.0; 3 * width];
        let (places, reached) = (vec![0], vec![0]);
        let mut kept = Diagonals { goal, width, kept: 3, solved: (0, 0), places, reached, numbers };
        kept.restart(past);
        for sum in (4..9).rev() {
            kept.turn(sum);
            let mut line = Line::new(goal, 1);
            for score in sum + 1 - goal..goal {
                *line.at(0, score).0 = number(score, sum - score);
            }
            kept.keep(0, &line);
        }
        let on_board = |above| &kept.window((0, 0), (above * width + LANES) as u32)[..goal + farthest];
        assert_eq!(on_board(0), [number(0, 4), number(1, 3), number(2, 2), number(3, 1), number(4, 0), past, past]);
        assert_eq!(on_board(1), [0.0, number(1, 4), number(2, 3), number(3, 2), number(4, 1), past, past]);
        assert_eq!(on_board(2), [0.0, 0.0, number(2, 4), number(3, 3), number(4, 2), past, past]);
        let before = (2 * width + LANES - 3) as u32;
        assert_eq!(kept.window((0, 0), before)[3..], kept.window((0, 0), before + 3)[..LANES - 3]);
    }
}
