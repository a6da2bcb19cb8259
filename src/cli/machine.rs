//! The resources of this machine.

use std::path::PathBuf;

/// Returns hog's folder in the user's cache folder of each system; three variables need no library.
pub(super) fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Caches")),
        _ => variable("HOME").map(|home| home.join(".cache")),
    })?;
    Some(caches.join("hog"))
}

/// Returns the memory available for new work, in bytes, as Linux reports it; `None` on other systems.
pub(super) fn memory_available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}
