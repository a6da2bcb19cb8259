//! NumPy's `.npy` files of integers, formats 1.0 to 3.0 (numpy.org, "NEP 1: A simple file format
//! for NumPy arrays").

use ndarray::{ArrayD, IxDyn, ShapeBuilder};

use crate::files::escape::shortened;

/// The layout of a file's numbers, as given by its header.
#[derive(Debug, PartialEq)]
pub(super) struct NpyLayout {
    /// The length of each axis.
    pub shape: Vec<usize>,
    /// The type in NumPy's notation: `<i2` is a little-endian integer of two bytes.
    dtype: String,
    /// True if the first axis varies fastest in the file, false if the last one does.
    fortran_order: bool,
}

/// The bytes that begin a file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Messages for a header that cannot be read.
const NO_HEADER: &str =
    "it is not a valid .npy file: its header is not a dictionary of descr, fortran_order and shape";
const NO_INTEGERS: &str = "its numbers are not integers; save it with astype('i1')";

impl NpyLayout {
    /// Reads the header of a file; returns the layout and the bytes of the numbers.
    ///
    /// # Errors
    /// Returns a message if the header is not valid.
    pub fn read(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        const CUT: &str = "it is not a valid .npy file: it ends within its header";
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or("it is not an .npy file: it does not begin with \\x93NUMPY")?;
        let ([version, _], rest) = rest.split_first_chunk().ok_or(CUT)?;
        let (length, rest) = match version {
            1 => rest
                .split_first_chunk()
                .map(|(length, rest)| (u16::from_le_bytes(*length).into(), rest)),
            2 | 3 => {
                rest.split_first_chunk().map(|(length, rest)| (u32::from_le_bytes(*length), rest))
            }
            other => {
                return Err(format!("it has .npy format {other}; formats 1 to 3 are supported"));
            }
        }
        .ok_or(CUT)?;
        let (header, numbers) = rest.split_at_checked(length as usize).ok_or(CUT)?;
        let header = std::str::from_utf8(header).map_err(|_| NO_HEADER)?;
        Ok((Self::of_dictionary(header.trim())?, numbers))
    }

    /// Parses a dictionary like `{'descr': '<i8', 'fortran_order': False, 'shape': (100, 100), }`.
    fn of_dictionary(text: &str) -> Result<Self, String> {
        let mut rest =
            text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or(NO_HEADER)?.trim();
        let mut dtype = None;
        let mut fortran_order = None;
        let mut shape = None;
        while !rest.is_empty() {
            let (key, after) = quoted(rest).ok_or(NO_HEADER)?;
            let value = after.trim_start().strip_prefix(':').ok_or(NO_HEADER)?.trim_start();
            let after = match key {
                "descr" => quoted(value)
                    .map(|(text, after)| (dtype = Some(text), after).1)
                    .ok_or(NO_INTEGERS)?,
                "fortran_order" => {
                    let found = [("True", true), ("False", false)]
                        .into_iter()
                        .find(|(word, _)| value.starts_with(word));
                    let (word, flag) = found.ok_or(NO_HEADER)?;
                    fortran_order = Some(flag);
                    &value[word.len()..]
                }
                "shape" => {
                    let (lengths, after) = value
                        .strip_prefix('(')
                        .and_then(|value| value.split_once(')'))
                        .ok_or(NO_HEADER)?;
                    let lengths = lengths.trim().trim_end_matches(',');
                    let split = lengths.split(',').filter(|_| !lengths.is_empty());
                    shape = Some(split.map(length).collect::<Result<Vec<usize>, String>>()?);
                    after
                }
                _ => return Err(NO_HEADER.into()),
            };
            let after = after.trim_start();
            rest = after.strip_prefix(',').unwrap_or(after).trim_start();
        }
        let dtype = dtype.ok_or(NO_HEADER)?;
        let fortran_order = fortran_order.ok_or(NO_HEADER)?;
        Ok(Self { shape: shape.ok_or(NO_HEADER)?, dtype: dtype.to_owned(), fortran_order })
    }

    /// Returns the numbers in row-major order: the last axis varies fastest.
    ///
    /// # Errors
    /// Returns a message if they are not integers, or their number differs from that of the shape.
    pub fn numbers(&self, bytes: &[u8]) -> Result<Vec<i64>, String> {
        let (order, kind) = self.dtype.split_at(self.dtype.find(char::is_alphabetic).unwrap_or(0));
        let size: usize = match kind {
            "i1" | "u1" | "b" | "B" => 1,
            "i2" | "u2" => 2,
            "i4" | "u4" => 4,
            "i8" | "u8" => 8,
            _ => return Err(NO_INTEGERS.into()),
        };
        if !(["<", ">"].contains(&order) || size == 1 && ["", "|"].contains(&order)) {
            return Err(NO_INTEGERS.into());
        }
        let needed =
            self.shape.iter().try_fold(size, |product, length| product.checked_mul(*length));
        if needed != Some(bytes.len()) {
            let shape = shortened(&format!("{:?}", self.shape));
            return Err(format!(
                "it is not a valid .npy file: {} bytes of numbers for the shape {shape}",
                bytes.len()
            ));
        }
        let mut numbers = Vec::with_capacity(bytes.len() / size);
        for bytes in bytes.chunks_exact(size) {
            let mut big_endian = [0; 8];
            big_endian[..size].copy_from_slice(bytes);
            if order != ">" {
                big_endian[..size].reverse();
            }
            // The first byte determines the sign. Of eight unsigned bytes, only numbers far above
            // any roll are misread, as negative ones.
            let number = i64::from_be_bytes(big_endian);
            let unused = 64 - 8 * size;
            numbers.push(match kind.starts_with(['u', 'B']) {
                true => (number.cast_unsigned() >> unused).cast_signed(),
                false => number >> unused,
            });
        }
        let shape = IxDyn(&self.shape).set_f(self.fortran_order);
        let array = ArrayD::from_shape_vec(shape, numbers).map_err(|error| error.to_string())?;
        Ok(array.iter().copied().collect())
    }
}

fn length(text: &str) -> Result<usize, String> {
    let text = text.trim();
    text.parse().map_err(|_| {
        format!("it is not a valid .npy file: `{}` is not the length of an axis", shortened(text))
    })
}

/// Splits off a leading quoted text; returns it without its quotes, and the remainder.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| ['\'', '"'].contains(c))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a file of format 1.0.
    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), numbers].concat()
    }

    fn dictionary(dtype: &str, fortran_order: &str, shape: &str) -> String {
        format!("{{'descr': '{dtype}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}   \n")
    }

    fn numbers(bytes: &[u8]) -> Result<Vec<i64>, String> {
        let (layout, numbers) = NpyLayout::read(bytes)?;
        layout.numbers(numbers)
    }

    #[test]
    fn integers_of_either_byte_order_are_read() {
        let read = |dtype, bytes: &[u8]| {
            numbers(&file(&dictionary(dtype, "False", "(2,)"), bytes)).unwrap()
        };
        for dtype in ["i1", "|i1", "<i1", ">i1", "b"] {
            assert_eq!(read(dtype, &[255, 3]), [-1, 3]);
        }
        assert_eq!(read("|u1", &[255, 3]), [255, 3]);
        assert_eq!(read("<i2", &[0xfe, 0xff, 1, 2]), [-2, 513]);
        assert_eq!(read(">i2", &[0xff, 0xfe, 2, 1]), [-2, 513]);
        assert_eq!(read("<u2", &[0xfe, 0xff, 1, 2]), [0xfffe, 513]);
        assert_eq!(read("<u8", &[7u64.to_le_bytes(), 9u64.to_le_bytes()].concat()), [7, 9]);
        assert_eq!(read("<i4", &[5, 0, 0, 0, 0, 0, 0, 0x80]), [5, i64::from(i32::MIN)]);
        assert_eq!(
            read(">i8", &[i64::MIN.to_be_bytes(), 7i64.to_be_bytes()].concat()),
            [i64::MIN, 7]
        );
    }

    #[test]
    fn both_memory_orders_and_any_order_of_keys_are_read() {
        let numbers_of = |order| {
            numbers(&file(&dictionary("|i1", order, "(2, 3)"), &[1, 2, 3, 4, 5, 6])).unwrap()
        };
        assert_eq!(numbers_of("False"), [1, 2, 3, 4, 5, 6]);
        assert_eq!(numbers_of("True"), [1, 3, 5, 2, 4, 6]);
        let header = "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|i1\"}";
        assert_eq!(numbers(&file(header, &[8, 9])).unwrap(), [8, 9]);
        let length = (header.len() as u32 + 5).to_le_bytes();
        let long =
            [b"\x93NUMPY\x02\x00", &length[..], header.as_bytes(), b"     \x08\x09"].concat();
        assert_eq!(numbers(&long).unwrap(), [8, 9]);
        assert_eq!(numbers(&file(&dictionary("|i1", "False", "()"), &[4])).unwrap(), [4]);
    }

    /// The crate ndarray-npy aborted the process on a header of 128 bytes that announces two
    /// terabytes.
    #[test]
    fn a_shape_that_does_not_match_the_file_is_refused_before_allocation() {
        for (shape, dtype) in [
            ("(1000000, 2000000)", "|i1"),
            ("(4294967296, 4294967296)", "<i8"),
            ("(18446744073709551615, 2)", "<i8"),
            ("(3,)", "|i1"),
            ("(1,)", "|i1"),
        ] {
            let error = numbers(&file(&dictionary(dtype, "False", shape), &[1, 2])).unwrap_err();
            assert!(error.contains("2 bytes of numbers for the shape"), "{error}");
        }
    }

    #[test]
    fn each_fault_of_a_header_is_reported() {
        let valid = dictionary("<i2", "False", "(1,)");
        let refused = |header: &str, words: &str| {
            let error = numbers(&file(header, &[0, 0])).unwrap_err();
            assert!(error.contains(words), "{header}: {error}");
        };
        assert_eq!(numbers(&file(&valid, &[0, 0])), Ok(vec![0]));
        for (from, to) in [
            ("{", ""),
            ("}", ""),
            ("'descr'", "descr"),
            (":", ""),
            ("False", "No"),
            ("'shape'", "'size'"),
        ] {
            refused(&valid.replacen(from, to, 1), "not a dictionary");
        }
        refused("{'descr': '<i2', 'fortran_order': False}", "not a dictionary");
        refused("{'descr': '<i2', 'shape': (1,)}", "not a dictionary");
        refused("é", "not a dictionary");
        refused(&valid.replace("(1,)", "(1"), "not a dictionary");
        for length in ["-1", "a", "1.0", "99999999999999999999999", "1,,1"] {
            refused(&valid.replace("(1,)", &format!("({length},)")), "not the length of an axis");
        }
        for dtype in ["<f8", "|b1", "i2", "=i2", "|i2", "é", "", "<i3", "<U1"] {
            refused(&valid.replace("<i2", dtype), "not integers");
        }
        refused(&valid.replace("'<i2'", "[('a', '<i2')]"), "not integers");
        let complete = file(&valid, &[0, 0]);
        for length in 0..complete.len() {
            assert!(numbers(&complete[..length]).is_err(), "the first {length} bytes");
        }
        let other_format = [&complete[..6], &[4], &complete[7..]].concat();
        assert!(numbers(&other_format).unwrap_err().contains("format 4"));
    }
}
