//! Names of files that are probably meant.

use std::path::Path;

use crate::files::has_extension;
use crate::rules::fault::edits;

/// How many files of a folder are looked at.
const MOST_FILES: usize = 10_000;

/// The most typing errors.
const MOST_EDITS: usize = 2;

/// Returns the file with one of these endings, in the folder of a path where there is none, whose
/// name is most similar to that of the path.
pub(super) fn nearest_file(path: &Path, endings: &[&str]) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut nearest: Option<(usize, String)> = None;
    for file in files.take(MOST_FILES).flatten() {
        let Ok(other) = file.file_name().into_string() else { continue };
        if !endings.iter().any(|ending| has_extension(&other, ending)) {
            continue;
        }
        let Some(edits) = edits(name, &other).filter(|edits| *edits <= MOST_EDITS) else {
            continue;
        };
        let candidate = (edits, other);
        if nearest.as_ref().is_none_or(|nearest| candidate < *nearest) {
            nearest = Some(candidate);
        }
    }
    Some(path.with_file_name(nearest?.1).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_has_the_ending_and_few_typing_errors() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["mine.toml", "nine.toml", "mine.py", "other.toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let nearest = |name: &str, ending: &str| {
            let found = nearest_file(&folder.path().join(name), &[ending])?;
            Some(Path::new(&found).file_name()?.to_str()?.to_owned())
        };
        assert_eq!(nearest("mine.tml", "toml").as_deref(), Some("mine.toml"));
        assert_eq!(nearest("mien.toml", "toml").as_deref(), Some("mine.toml"));
        assert_eq!(nearest("mine.yp", "py").as_deref(), Some("mine.py"));
        assert_eq!(nearest("yours.toml", "toml"), None);
    }
}
