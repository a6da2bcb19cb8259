//! A root of its own for a strategy's process, where the system allows one: a folder that holds what it may read and
//! nothing else, so that it cannot even ask which other files and processes there are.
//!
//! The process leaves for a mount namespace of its own (in a user namespace of its own, if it may not otherwise), covers
//! `/proc` with an empty file system, mounts there what it may read, and makes that its root. Where a step fails it goes on
//! without: Landlock holds what may be read, and names, sizes and times of other files can still be asked for.

use std::fs::{File, create_dir_all};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use nix::sched::{CloneFlags, unshare};
use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount, mount_change, move_mount, open_tree,
};

/// What is covered: a folder that every system has and no strategy lies in.
const COVERED: &str = "/proc";

/// Makes these files and folders all there is; true if that could be done.
pub(super) fn leave_with(paths: &[PathBuf]) -> bool {
    own_mounts().and_then(|()| build(&least_cover(paths))).is_ok()
}

fn own_mounts() -> io::Result<()> {
    if let Err(error) = unshare(CloneFlags::CLONE_NEWNS) {
        let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS).map_err(|_| error)?;
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    Ok(mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)?)
}

fn build(paths: &[&Path]) -> io::Result<()> {
    let clone = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    // All are opened before one of them may be covered.
    let opened: rustix::io::Result<Vec<(&Path, OwnedFd)>> =
        paths.iter().map(|path| Ok((*path, open_tree(CWD, *path, clone)?))).collect();
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("none", COVERED, "tmpfs", flags, c"size=1m,mode=755")?;
    for (path, tree) in opened? {
        let place = Path::new(COVERED).join(path.strip_prefix("/").unwrap_or(path));
        if path.is_dir() {
            create_dir_all(&place)?;
        } else {
            create_dir_all(place.parent().unwrap_or(Path::new(COVERED)))?;
            File::create(&place)?;
        }
        move_mount(tree, "", CWD, &place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    }
    rustix::process::chroot(COVERED)?;
    Ok(rustix::process::chdir("/")?)
}

/// The paths that are there, without those that lie in others.
fn least_cover(paths: &[PathBuf]) -> Vec<&Path> {
    let mut sorted: Vec<&Path> = paths.iter().map(PathBuf::as_path).filter(|path| path.exists()).collect();
    sorted.sort();
    sorted.dedup();
    let outside = |path: &&Path| !sorted.iter().any(|other| path != other && path.starts_with(other));
    sorted.iter().copied().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_another_folder_is_mounted_with_it() {
        let paths = ["/usr/lib", "/etc/passwd", "/usr", "/usr", "/etc/nothing"].map(PathBuf::from);
        assert_eq!(least_cover(&paths), [Path::new("/etc/passwd"), Path::new("/usr")]);
    }
}
