//! The `hog` command.

fn main() -> std::process::ExitCode {
    keep_freed_memory();
    hog::cli::main()
}

/// Has glibc keep up to 62 MiB of what is freed, as mallopt(3) tells of `M_MMAP_THRESHOLD`: once a piece of this size was freed.
/// By default it returns all but 128 KiB and asks for them again, which takes four times as long as to tabulate the rules of
/// a game to 10,000.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}
