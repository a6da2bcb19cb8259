//! Where numbers lie while a game is solved: layer by layer from the highest sum of scores down.
//!
//! All that a layer depends on lies in layers before it, so what is solved can be read while the layer is written, by any
//! number of threads, with no lock.

use crate::game::Space;

/// The order of cells and the place of their numbers.
#[derive(Debug)]
pub(super) struct Layout {
    pub space: Space,
    /// Words of one number of each layer.
    words: Vec<usize>,
}

/// A layer in solving order: 0 is the highest sum of scores. The layer's height above the end of the game is one more.
pub(super) type LayerIndex = usize;

impl Layout {
    /// Lays out numbers of `words(layer)` words each.
    pub fn new(space: Space, words: impl Fn(LayerIndex) -> usize) -> Self {
        Self { space, words: (0..space.stages()).map(words).collect() }
    }

    /// How many layers there are.
    pub fn stages(&self) -> usize {
        self.words.len()
    }

    /// The sum of scores of a layer, or the layer of a sum of scores.
    #[inline(always)]
    pub fn sum(&self, layer: LayerIndex) -> usize {
        self.words.len() - 1 - layer
    }

    /// The layer of a cell.
    #[inline(always)]
    pub fn layer_of(&self, cell: usize) -> LayerIndex {
        self.locate(cell).0
    }

    /// The cells of a layer, in ascending order of the mover's score.
    pub fn cells(&self, layer: LayerIndex) -> impl ExactSizeIterator<Item = usize> + use<> {
        self.space.stage(self.sum(layer))
    }

    /// The layer of a cell and its place there: one division, where the two apart take three.
    #[inline(always)]
    pub fn locate(&self, cell: usize) -> (LayerIndex, usize) {
        // Cells are counted in 32 bits, whose division is much faster.
        let score = (cell as u32 / self.space.goal as u32) as usize;
        let sum = score + (cell - score * self.space.goal);
        (self.sum(sum), score - self.least_score(sum))
    }

    /// The place of a cell in its layer.
    pub fn place(&self, cell: usize) -> usize {
        self.locate(cell).1
    }

    /// The mover's score in the first cell with a sum of scores.
    #[inline(always)]
    pub fn least_score(&self, sum: usize) -> usize {
        (sum + 1).saturating_sub(self.space.goal)
    }

    /// Words of one number of a layer.
    #[inline(always)]
    pub fn words(&self, layer: LayerIndex) -> usize {
        self.words[layer]
    }

    /// The states of a layer.
    pub fn states_of(&self, layer: LayerIndex) -> usize {
        self.cells(layer).len() * self.space.per_cell()
    }

    /// All words of layers `first..end`.
    pub fn words_of(&self, layers: std::ops::Range<LayerIndex>) -> usize {
        layers.map(|layer| self.states_of(layer).saturating_mul(self.words[layer])).fold(0, usize::saturating_add)
    }

    /// Where the numbers of a cell begin among those of its layer.
    #[inline(always)]
    pub fn first_word_of(&self, cell: usize) -> usize {
        let (layer, place) = self.locate(cell);
        place * self.space.per_cell() * self.words[layer]
    }
}
