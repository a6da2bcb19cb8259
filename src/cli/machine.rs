//! The folders of this machine.

use std::path::PathBuf;

/// Returns hog's folder in the user's cache folder of each system; three variables need no library.
pub(super) fn cache_folder() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Caches")),
        _ => variable("HOME").map(|home| home.join(".cache")),
    })?;
    Some(caches.join("hog"))
}
