//! A separate root directory for a file's process, where the system allows one. It contains
//! only what the process may read, so that other files and processes cannot even be listed.
//!
//! The process enters a new mount namespace (in a new user namespace, if it may not do so
//! otherwise), mounts an empty file system over `/proc`, mounts the readable files there, and makes
//! it the root directory. If a step fails the process keeps its root: Landlock still restricts what
//! can be read, but names, sizes and times of other files can be queried.

use std::fs::{File, create_dir_all};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use nix::sched::{CloneFlags, unshare};
use rustix::fs::{CWD, OFlags};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount, mount_change,
    move_mount, open_tree,
};

use hog_files as files;

/// Where the new root is mounted: a folder that every system has and that contains no one's files.
const NEW_ROOT: &str = "/proc";

/// Makes these files and folders the only ones that exist for the process; returns whether that
/// succeeded. The paths of its `own` may contain no links.
pub(super) fn enter(shared: &[&Path], own: &[&Path]) -> bool {
    let all = [shared, own].concat();
    own_mounts().and_then(|()| build(&least_cover(&all), own)).is_ok()
}

fn own_mounts() -> io::Result<()> {
    if let Err(error) = unshare(CloneFlags::CLONE_NEWNS) {
        let (user, group) =
            (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS).map_err(|_| error)?;
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    Ok(mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)?)
}

fn build(paths: &[&Path], own: &[&Path]) -> io::Result<()> {
    let clone = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = |path: &Path| -> io::Result<OwnedFd> {
        if !own.contains(&path) {
            return Ok(open_tree(CWD, path, clone)?);
        }
        let opened = files::refer_without_links(path, OFlags::PATH)?;
        Ok(open_tree(opened, "", clone | OpenTreeFlags::AT_EMPTY_PATH)?)
    };
    // Opened before the mount, which may hide some of them.
    let opened: io::Result<Vec<(&Path, OwnedFd)>> =
        paths.iter().map(|path| Ok((*path, tree(path)?))).collect();
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("none", NEW_ROOT, "tmpfs", flags, c"size=1m,mode=755")?;
    for (path, tree) in opened? {
        let place = Path::new(NEW_ROOT).join(path.strip_prefix("/").unwrap_or(path));
        if path.is_dir() {
            create_dir_all(&place)?;
        } else {
            create_dir_all(place.parent().unwrap_or(Path::new(NEW_ROOT)))?;
            File::create(&place)?;
        }
        move_mount(tree, "", CWD, &place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    }
    rustix::process::chroot(NEW_ROOT)?;
    Ok(rustix::process::chdir("/")?)
}

/// Returns the paths that exist, without those contained in another.
fn least_cover<'p>(paths: &[&'p Path]) -> Vec<&'p Path> {
    let mut sorted: Vec<&Path> = paths.iter().copied().filter(|path| path.exists()).collect();
    sorted.sort();
    sorted.dedup();
    let outside =
        |path: &&Path| !sorted.iter().any(|other| path != other && path.starts_with(other));
    sorted.iter().copied().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_another_path_are_not_mounted_separately() {
        let paths = ["/usr/lib", "/etc/passwd", "/usr", "/usr", "/etc/nothing"].map(Path::new);
        assert_eq!(least_cover(&paths), [Path::new("/etc/passwd"), Path::new("/usr")]);
    }
}
