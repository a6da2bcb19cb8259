//! The resources of this machine.

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

/// Returns the memory available for new work, in bytes: as Linux reports it, or a part of the
/// process's own limit (`ulimit -v`) if that is less; `None` where neither is known.
pub(super) fn memory_available() -> Option<u64> {
    [free_memory(), own_limit()].into_iter().flatten().min()
}

fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Three quarters of the limit: it also counts the program itself and what its threads reserve.
#[cfg(unix)]
fn own_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current.map(|limit| limit - limit / 4)
}

#[cfg(not(unix))]
fn own_limit() -> Option<u64> {
    None
}
