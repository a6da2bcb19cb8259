//! The system calls that an interpreter needs to compute, and no others.

use libc::{
    SYS_brk, SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_close, SYS_dup, SYS_dup3, SYS_execve,
    SYS_exit, SYS_exit_group, SYS_faccessat, SYS_faccessat2, SYS_fcntl, SYS_fstat, SYS_fstatfs, SYS_futex, SYS_getcwd,
    SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getpid, SYS_getppid, SYS_getrandom, SYS_getrusage,
    SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_ioctl, SYS_lseek, SYS_madvise, SYS_mmap, SYS_mprotect, SYS_mremap,
    SYS_munmap, SYS_nanosleep, SYS_newfstatat, SYS_openat, SYS_ppoll, SYS_pread64, SYS_prlimit64, SYS_pselect6,
    SYS_read, SYS_readlinkat, SYS_readv, SYS_restart_syscall, SYS_rseq, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sched_getaffinity, SYS_sched_yield, SYS_set_robust_list, SYS_set_tid_address,
    SYS_sigaltstack, SYS_statfs, SYS_statx, SYS_sysinfo, SYS_times, SYS_uname, SYS_write, SYS_writev,
};

/// Allowed with any arguments. They reach nothing but the process itself and what it has open; paths are Landlock's.
/// `execve` is how the interpreter starts; what it may start is Landlock's too.
#[rustfmt::skip]
const COMMON: &[i64] = &[
    SYS_brk, SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_close, SYS_dup, SYS_dup3, SYS_execve,
    SYS_exit, SYS_exit_group, SYS_faccessat, SYS_faccessat2, SYS_fstat, SYS_fstatfs, SYS_futex, SYS_getcwd,
    SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getpid, SYS_getppid, SYS_getrandom, SYS_getrusage,
    SYS_gettid, SYS_gettimeofday, SYS_getuid, SYS_lseek, SYS_madvise, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap,
    SYS_nanosleep, SYS_newfstatat, SYS_ppoll, SYS_pread64, SYS_pselect6, SYS_read, SYS_readlinkat, SYS_readv,
    SYS_restart_syscall, SYS_rseq, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sched_getaffinity,
    SYS_sched_yield, SYS_set_robust_list, SYS_set_tid_address, SYS_sigaltstack, SYS_statfs, SYS_statx, SYS_sysinfo,
    SYS_times, SYS_uname, SYS_write, SYS_writev,
];

/// The older forms that only this machine has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const OF_MACHINE: &[i64] = &[
    libc::SYS_access, libc::SYS_arch_prctl, libc::SYS_dup2, libc::SYS_getrlimit, libc::SYS_lstat, libc::SYS_poll,
    libc::SYS_readlink, libc::SYS_select, libc::SYS_stat, libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OF_MACHINE: &[i64] = &[];

/// All calls that are allowed with any arguments.
pub(super) fn free() -> impl Iterator<Item = i64> {
    COMMON.iter().chain(OF_MACHINE).copied()
}

/// A call that is allowed only where an argument, under a mask, has a value.
pub(super) struct Bound {
    pub call: i64,
    /// Which argument, from 0.
    pub argument: u8,
    /// The bits that count.
    pub mask: u64,
    /// What they must be.
    pub value: u64,
}

const fn exactly(call: i64, argument: u8, value: u64) -> Bound {
    Bound { call, argument, mask: u32::MAX as u64, value }
}

/// Flags with which `openat` would write, make or shorten a file.
const WRITING: u64 = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64;

/// Calls that are bound: files open for reading only; of the many commands of `fcntl` and `ioctl`, those that copy a
/// descriptor or ask what it is (others send signals to strangers).
pub(super) const BOUND: &[Bound] = &[
    Bound { call: SYS_openat, argument: 2, mask: WRITING, value: libc::O_RDONLY as u64 },
    exactly(SYS_fcntl, 1, libc::F_DUPFD as u64),
    exactly(SYS_fcntl, 1, libc::F_DUPFD_CLOEXEC as u64),
    exactly(SYS_fcntl, 1, libc::F_GETFD as u64),
    exactly(SYS_fcntl, 1, libc::F_SETFD as u64),
    exactly(SYS_fcntl, 1, libc::F_GETFL as u64),
    exactly(SYS_ioctl, 1, libc::TCGETS as _),
    exactly(SYS_ioctl, 1, libc::FIOCLEX as _),
    exactly(SYS_ioctl, 1, libc::FIONCLEX as _),
];

/// A call that is allowed only where two arguments are 0: limits are read (the new ones are a null pointer), and the
/// process's own.
pub(super) const READ_LIMITS: (i64, [u8; 2]) = (SYS_prlimit64, [0, 2]);
