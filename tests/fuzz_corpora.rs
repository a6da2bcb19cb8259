//! Replays the corpora of `fuzz/`: each file as it is, truncated, and with bytes changed, in the
//! same order on every run.
//!
//! `HOG_REPLAYS=100000 cargo test --release --test program fuzz_corpora` runs for longer.

// Each test calls some of the targets.
#[allow(dead_code)]
#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::path::Path;

/// Returns how many changed files each target is given.
fn replays() -> usize {
    std::env::var("HOG_REPLAYS").ok().and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// A sequence of pseudorandom numbers (a linear congruential generator: D. Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    /// Returns a variant of a file: with bytes changed, removed, doubled, inserted, or taken from
    /// another file.
    fn changed(&mut self, file: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        for _ in 0..=self.below(4) {
            let (from, length) = (self.below(bytes.len() + 1), self.below(9));
            let to = (from + length).min(bytes.len());
            match self.below(5) {
                0 => bytes[from..to].iter_mut().for_each(|byte| *byte ^= 1 << (length % 8)),
                1 => drop(bytes.drain(from..to)),
                2 => {
                    let doubled = bytes[from..to].to_vec();
                    bytes.splice(from..from, doubled);
                }
                3 => {
                    let start = self.below(other.len());
                    let part = &other[start..(start + 4 * length).min(other.len())];
                    bytes.splice(from..to, part.iter().copied());
                }
                _ => {
                    let signs = b"\0\x01\x7f\x80\xff09-+*/%()[]{}?:,.\"'\\=#\n ae";
                    bytes.insert(from, signs[self.below(signs.len())]);
                }
            }
        }
        bytes
    }
}

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    assert!(files.len() >= 3, "{target}: a corpus has several files");
    for (path, file) in paths.iter().zip(&files) {
        assert!(file.len() < 5000, "{}: corpora are kept small", path.display());
        run(file);
    }
    let mut numbers = Numbers(target.len() as u64);
    for _ in 0..replays() {
        let [file, other] = [0; 2].map(|_| &files[numbers.below(files.len())]);
        let changed = numbers.changed(file, other);
        let result = std::panic::catch_unwind(|| run(&changed));
        assert!(result.is_ok(), "{target}: {:?}\n{}", changed, String::from_utf8_lossy(&changed));
    }
}

macro_rules! replays {
    ($($target:ident)*) => {$(
        #[test]
        fn $target() {
            replay(stringify!($target), targets::$target);
        }
    )*};
}

replays!(rule_text formula table npy answers strategy_name differential archive roster notebook);
