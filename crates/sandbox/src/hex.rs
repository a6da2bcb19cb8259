//! Bytes in hexadecimal digits, as the harness writes and reads text that may contain anything.

/// Encodes bytes, two digits each.
pub(super) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes digits, two per byte; `None` if they are none.
pub(super) fn decode(digits: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(digits.len().div_ceil(2));
    for pair in digits.as_bytes().chunks(2) {
        bytes.push(u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?);
    }
    Some(bytes)
}
