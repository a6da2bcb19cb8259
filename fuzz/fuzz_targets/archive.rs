#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| hog_fuzz::archive(data));
