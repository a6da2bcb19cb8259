//! Where numbers lie while a game is solved: layer by layer from the highest sum of scores down.
//!
//! All that a layer depends on lies before it, so the part already solved can be read while the layer is written,
//! by any number of threads, with no lock and no unsafe code.

use crate::game::Space;

/// The order of cells and the place of their numbers.
#[derive(Debug)]
pub(super) struct Layout {
    pub space: Space,
    /// Place of each cell in solving order.
    rank: Vec<u32>,
    /// The cells in solving order.
    cells: Vec<u32>,
    /// First rank of each layer, in solving order, and the number of cells at the end.
    first: Vec<usize>,
    /// First word of each layer, likewise.
    first_word: Vec<usize>,
    /// Words of one number of each layer.
    words: Vec<usize>,
    /// First word of each cell.
    word_of_cell: Vec<usize>,
    /// Layer of each cell.
    layer_of_cell: Vec<u16>,
}

/// A layer in solving order: 0 is the highest sum of scores. The layer's height above the end of the game is one more.
pub(super) type LayerIndex = usize;

impl Layout {
    /// Lays out numbers of `words(layer)` words each.
    pub fn new(space: Space, words: impl Fn(LayerIndex) -> usize) -> Self {
        let mut layout = Self {
            space,
            rank: vec![0; space.goal * space.goal],
            cells: Vec::with_capacity(space.goal * space.goal),
            first: vec![0],
            first_word: vec![0],
            words: Vec::new(),
            word_of_cell: vec![0; space.goal * space.goal],
            layer_of_cell: vec![0; space.goal * space.goal],
        };
        for layer in 0..space.layers() {
            let words = words(layer);
            for (place, cell) in space.layer(space.layers() - 1 - layer).enumerate() {
                layout.rank[cell] = layout.cells.len() as u32;
                layout.cells.push(cell as u32);
                layout.word_of_cell[cell] = layout.first_word[layer] + place * space.per_cell() * words;
                layout.layer_of_cell[cell] = layer as u16;
            }
            let size = layout.cells.len() - layout.first[layer];
            layout.first.push(layout.cells.len());
            layout.first_word.push(layout.first_word[layer] + size * space.per_cell() * words);
            layout.words.push(words);
        }
        layout
    }

    /// How many layers there are.
    pub fn layers(&self) -> usize {
        self.words.len()
    }

    /// The layer of a cell.
    #[inline(always)]
    pub fn layer_of(&self, cell: usize) -> LayerIndex {
        usize::from(self.layer_of_cell[cell])
    }

    /// The cells of a layer, in order.
    pub fn cells(&self, layer: LayerIndex) -> &[u32] {
        &self.cells[self.first[layer]..self.first[layer + 1]]
    }

    /// The ranks of a layer.
    pub fn ranks(&self, layer: LayerIndex) -> std::ops::Range<usize> {
        self.first[layer]..self.first[layer + 1]
    }

    /// The words of a layer.
    pub fn word_range(&self, layer: LayerIndex) -> std::ops::Range<usize> {
        self.first_word[layer]..self.first_word[layer + 1]
    }

    /// Words of one number of a layer.
    #[inline(always)]
    pub fn words(&self, layer: LayerIndex) -> usize {
        self.words[layer]
    }

    /// All words.
    pub fn total_words(&self) -> usize {
        self.first_word[self.layers()]
    }

    /// Where the numbers of a cell begin.
    #[inline(always)]
    pub fn first_word_of(&self, cell: usize) -> usize {
        self.word_of_cell[cell]
    }

    /// The place of a cell in solving order.
    #[inline(always)]
    pub fn rank(&self, cell: usize) -> usize {
        self.rank[cell] as usize
    }
}
