//! The allow-list of system calls: those that an interpreter needs in order to compute.

use libc::{
    SYS_brk, SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_close, SYS_dup,
    SYS_dup3, SYS_exit, SYS_exit_group, SYS_faccessat, SYS_faccessat2, SYS_fcntl, SYS_fstat,
    SYS_fstatfs, SYS_futex, SYS_getcwd, SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid,
    SYS_getpid, SYS_getppid, SYS_getrandom, SYS_getrusage, SYS_gettid, SYS_gettimeofday,
    SYS_getuid, SYS_ioctl, SYS_lseek, SYS_madvise, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap,
    SYS_nanosleep, SYS_newfstatat, SYS_openat, SYS_ppoll, SYS_pread64, SYS_prlimit64, SYS_pselect6,
    SYS_read, SYS_readlinkat, SYS_readv, SYS_restart_syscall, SYS_rseq, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sched_getaffinity, SYS_set_robust_list,
    SYS_set_tid_address, SYS_sigaltstack, SYS_statfs, SYS_statx, SYS_sysinfo, SYS_times, SYS_uname,
    SYS_write, SYS_writev,
};

/// Calls allowed with any arguments. They affect only the process itself and its open files;
/// Landlock restricts the paths that they can reach.
///
/// `sched_yield` is not among them: what a process waits for a processor does not count against its
/// time, so one that always yields would have no end.
#[rustfmt::skip]
const COMMON: &[i64] = &[
    SYS_brk, SYS_close, SYS_dup, SYS_dup3, SYS_exit, SYS_exit_group, SYS_faccessat, SYS_faccessat2,
    SYS_fstat, SYS_fstatfs, SYS_getcwd, SYS_getdents64, SYS_getegid, SYS_geteuid, SYS_getgid,
    SYS_getpid, SYS_getppid, SYS_getrandom, SYS_getrusage, SYS_gettid, SYS_gettimeofday, SYS_getuid,
    SYS_lseek, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap, SYS_nanosleep, SYS_newfstatat,
    SYS_ppoll, SYS_pread64, SYS_pselect6, SYS_read, SYS_readlinkat, SYS_readv, SYS_restart_syscall,
    SYS_rseq, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_set_robust_list,
    SYS_set_tid_address, SYS_sigaltstack, SYS_statfs, SYS_statx, SYS_sysinfo, SYS_times, SYS_uname,
    SYS_write, SYS_writev,
];

/// Older calls that exist only on this architecture.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
const OF_MACHINE: &[i64] = &[
    libc::SYS_access, libc::SYS_arch_prctl, libc::SYS_dup2, libc::SYS_getrlimit, libc::SYS_lstat,
    libc::SYS_poll, libc::SYS_readlink, libc::SYS_select, libc::SYS_stat, libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OF_MACHINE: &[i64] = &[];

/// Returns all calls that are allowed with any arguments.
pub(super) fn unrestricted() -> impl Iterator<Item = i64> {
    COMMON.iter().chain(OF_MACHINE).copied()
}

/// A call that is allowed only if `argument & mask == value`.
pub(super) struct Bound {
    pub call: i64,
    /// The index of the argument, from 0.
    pub argument: u8,
    pub mask: u64,
    pub value: u64,
}

const fn exactly(call: i64, argument: u8, value: u64) -> Bound {
    Bound { call, argument, mask: u32::MAX as u64, value }
}

/// Flags with which `openat` would write, create or truncate a file.
const WRITING: u64 = (libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64;

/// The flag of `futex` by which a wait is not seen by other processes.
const PRIVATE: u64 = libc::FUTEX_PRIVATE_FLAG as u64;

/// The bits of advice to `madvise` beyond those about this process: from 100 on it takes pages of
/// the machine out of use.
const ABOUT_THE_MACHINE: u64 = !31 & u32::MAX as u64;

/// The bits of a clock's number beyond those of the system's fixed clocks: others are made of the
/// number of a process, of which they tell how much it has computed, or of an open file.
const NOT_A_FIXED_CLOCK: u64 = !15 & u32::MAX as u64;

/// The restricted calls: `openat` for reading only; `futex`, `madvise` and `sched_getaffinity` only
/// about the process itself; the fixed clocks; and the commands of `fcntl` and `ioctl` that
/// duplicate a descriptor or read or set its properties (others can send signals to other
/// processes).
pub(super) const BOUND: &[Bound] = &[
    Bound { call: SYS_openat, argument: 2, mask: WRITING, value: libc::O_RDONLY as u64 },
    Bound { call: SYS_futex, argument: 1, mask: PRIVATE, value: PRIVATE },
    Bound { call: SYS_madvise, argument: 2, mask: ABOUT_THE_MACHINE, value: 0 },
    exactly(SYS_sched_getaffinity, 0, 0),
    Bound { call: SYS_clock_gettime, argument: 0, mask: NOT_A_FIXED_CLOCK, value: 0 },
    Bound { call: SYS_clock_getres, argument: 0, mask: NOT_A_FIXED_CLOCK, value: 0 },
    Bound { call: SYS_clock_nanosleep, argument: 0, mask: NOT_A_FIXED_CLOCK, value: 0 },
    exactly(SYS_fcntl, 1, libc::F_DUPFD as u64),
    exactly(SYS_fcntl, 1, libc::F_DUPFD_CLOEXEC as u64),
    exactly(SYS_fcntl, 1, libc::F_GETFD as u64),
    exactly(SYS_fcntl, 1, libc::F_SETFD as u64),
    exactly(SYS_fcntl, 1, libc::F_GETFL as u64),
    exactly(SYS_ioctl, 1, libc::TCGETS as _),
    exactly(SYS_ioctl, 1, libc::FIOCLEX as _),
    exactly(SYS_ioctl, 1, libc::FIONCLEX as _),
];

/// `prlimit64` is allowed only if its arguments 0 and 2 are 0: it then reads limits (the pointer to
/// new ones is null) of the calling process.
pub(super) const READ_LIMITS: (i64, [u8; 2]) = (SYS_prlimit64, [0, 2]);

/// Calls that return 0 instead of a number that differs between runs.
pub(super) const NUMBERS_OF_PROCESSES: [i64; 4] =
    [SYS_getpid, SYS_getppid, SYS_gettid, SYS_set_tid_address];
