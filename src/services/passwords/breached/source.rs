//! Reads hashes of breached passwords as they are published: a folder of range files, each named by the first five
//! hexadecimal digits of SHA-1 with lines `SUFFIX:COUNT` (k-anonymity), or one file of lines `HASH:COUNT`. It reads
//! line by line, so that their size does not matter.

use super::filter::Digest;
use data_encoding::HEXUPPER_PERMISSIVE;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Hexadecimal digits of a hash.
const HEX_DIGITS: usize = 40;
/// Digits of the name of a range file.
const PREFIX_DIGITS: usize = 5;
/// 40 digits, a colon and the largest possible number have 61 characters.
const MAX_LINE_BYTES: u64 = 128;
/// Range files are about so large, and a flat file is read in pieces of it.
const READ_BYTES: usize = 64 * 1024;

/// The reason that hashes cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// An I/O error.
    #[error("{path}")]
    Io {
        /// Where.
        path: String,
        /// What it says.
        source: io::Error,
    },
    /// A file is not named as range files are.
    #[error("{0}: the name of a range file is five hexadecimal digits, alone or with .txt")]
    Name(String),
    /// A line is not what it should be.
    #[error("{path}, line {line}: expected {digits} hexadecimal digits, a colon and a number")]
    Line {
        /// In this file.
        path: String,
        /// Counted from 1.
        line: u64,
        /// The number of digits on the line.
        digits: usize,
    },
}

impl SourceError {
    fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}

/// Calls `each` for every hash with at least this count.
pub(super) fn read_each(source: &Path, min_count: u64, mut each: impl FnMut(&Digest)) -> Result<(), SourceError> {
    let io = |error| SourceError::io(source, error);
    if !fs::metadata(source).map_err(io)?.is_dir() {
        return read_lines(source, b"", min_count, &mut each);
    }
    for entry in fs::read_dir(source).map_err(io)? {
        let entry = entry.map_err(io)?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let prefix = name.strip_suffix(".txt").unwrap_or(&name).as_bytes();
        if prefix.len() != PREFIX_DIGITS || !prefix.iter().all(u8::is_ascii_hexdigit) {
            // Skipping it would silently leave passwords out.
            return Err(SourceError::Name(path.display().to_string()));
        }
        read_lines(&path, prefix, min_count, &mut each)?;
    }
    Ok(())
}

fn read_lines(path: &Path, prefix: &[u8], min_count: u64, each: &mut impl FnMut(&Digest)) -> Result<(), SourceError> {
    let io = |error| SourceError::io(path, error);
    let mut reader = BufReader::with_capacity(READ_BYTES, File::open(path).map_err(io)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(io)?;
        if read == 0 {
            break;
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let (digest, count) = parse(prefix, text).ok_or_else(|| SourceError::Line {
            path: path.display().to_string(),
            line: number,
            digits: HEX_DIGITS - prefix.len(),
        })?;
        // Servers pad their responses with made-up hashes, whose count is 0.
        if count >= min_count.max(1) {
            each(&digest);
        }
    }
    Ok(())
}

fn parse(prefix: &[u8], line: &[u8]) -> Option<(Digest, u64)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (digits, count) = (&line[..colon], &line[colon + 1..]);
    if prefix.len() + digits.len() != HEX_DIGITS {
        return None;
    }
    let mut text = [0; HEX_DIGITS];
    let (head, tail) = text.split_at_mut(prefix.len());
    head.copy_from_slice(prefix);
    tail.copy_from_slice(digits);
    let mut digest = Digest::default();
    HEXUPPER_PERMISSIVE.decode_mut(&text, &mut digest).ok()?;
    let count = std::str::from_utf8(count).ok().filter(|count| count.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some((digest, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    const SUFFIX: &str = "1E4C9B93F3F0682250B6CF8331B7EE68FD8";

    fn read(path: &Path, min_count: u64) -> Result<usize, String> {
        let mut count = 0;
        read_each(path, min_count, |_| count += 1).map(|()| count).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_what_they_should_be() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("5BAA6");
        let whole = format!("5baa6{}", SUFFIX.to_lowercase());
        for (text, min_count, expected) in [
            (format!("{SUFFIX}:10\r\n{SUFFIX}:0\r\n\r\n{SUFFIX}:9"), 1, Some(2)),
            (format!("{SUFFIX}:10\n{SUFFIX}:9\n"), 10, Some(1)),
            (format!("{}:1", SUFFIX.to_lowercase()), 0, Some(1)),
            (String::new(), 1, Some(0)),
            (format!("{whole}:1"), 1, None),
            (SUFFIX.to_owned(), 1, None),
            (format!("{SUFFIX}:"), 1, None),
            (format!("{SUFFIX}:+1"), 1, None),
            (format!("{SUFFIX}:1 2"), 1, None),
            (format!("{SUFFIX}:99999999999999999999"), 1, None),
            (format!("{}G:1", &SUFFIX[1..]), 1, None),
            (format!("{}:1", &SUFFIX[1..]), 1, None),
            ("\u{feff}".to_owned(), 1, None),
            ("x".repeat(1_000_000), 1, None),
        ] {
            fs::write(&path, &text).unwrap();
            assert_eq!(read(scratch.path(), min_count).ok(), expected, "{text:.60}");
        }
        fs::write(&path, format!("{SUFFIX}:1\nwrong\n")).unwrap();
        let error = read(scratch.path(), 1).unwrap_err();
        assert!(error.ends_with("5BAA6, line 2: expected 35 hexadecimal digits, a colon and a number"), "{error}");
        fs::write(&path, format!("{whole}:1\n{whole}:2")).unwrap();
        assert_eq!(read(&path, 2), Ok(1), "a flat file");
    }

    #[test]
    fn names_are_what_they_should_be() {
        for (name, expected) in [
            ("5BAA6", true),
            ("5baa6.txt", true),
            (".hidden", true),
            ("README", false),
            ("5BAA", false),
            ("5BAA61", false),
            ("5BAAG", false),
            ("5BAA6.zip", false),
        ] {
            let scratch = tempfile::tempdir().unwrap();
            fs::write(scratch.path().join(name), "").unwrap();
            assert_eq!(read(scratch.path(), 1).is_ok(), expected, "{name}");
        }
        assert!(read(Path::new("/nowhere/at/all"), 1).is_err());
    }
}
