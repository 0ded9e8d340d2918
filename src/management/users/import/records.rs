//! Splits the body of an import into records as it arrives: lines of JSON, or records of CSV (RFC 4180). Memory use is
//! bounded, however long the body or a line of it is.

use axum::body::{Body, BodyDataStream, Bytes};
use csv_core::{ReadRecordResult, Reader};
use futures_util::StreamExt;

/// Maximum bytes of a record; a longer one is refused, without affecting the others.
pub(super) const MAX_RECORD_BYTES: usize = 256 << 10;
/// Maximum number of columns.
const MAX_COLUMNS: usize = 256;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A record, and the line where it begins, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ImportRecord {
    pub(super) line: u64,
    pub(super) content: Content,
}

/// The content of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A line.
    Text(Vec<u8>),
    /// The fields of a record of CSV.
    Fields(Vec<Vec<u8>>),
    /// Longer than the maximum.
    TooLong,
}

/// The body was interrupted, or arrived too slowly.
#[derive(Debug)]
pub(super) struct BrokenOff;

/// The records of a body.
pub(super) struct Records {
    chunks: BodyDataStream,
    chunk: Bytes,
    is_over: bool,
    splitter: Splitter,
}

/// The format by which the body is split.
pub(super) enum Splitter {
    /// Into lines.
    Lines(Lines),
    /// Into records of CSV.
    Csv(Box<Csv>),
}

impl Records {
    /// The records of this body.
    pub(super) fn of(body: Body, splitter: Splitter) -> Self {
        Self { chunks: body.into_data_stream(), chunk: Bytes::new(), is_over: false, splitter }
    }

    /// The next record; `None` at the end of the body.
    pub(super) async fn next(&mut self) -> Result<Option<ImportRecord>, BrokenOff> {
        loop {
            let found = match &mut self.splitter {
                Splitter::Lines(lines) => lines.next(&mut self.chunk, self.is_over),
                Splitter::Csv(csv) => csv.next(&mut self.chunk, self.is_over),
            };
            if found.is_some() || self.is_over {
                return Ok(found);
            }
            match self.chunks.next().await {
                Some(chunk) => self.chunk = chunk.map_err(|_| BrokenOff)?,
                None => self.is_over = true,
            }
        }
    }
}

/// Lines; empty ones are skipped.
#[derive(Default)]
pub(super) struct Lines {
    text: Vec<u8>,
    line: u64,
    is_too_long: bool,
}

impl Lines {
    fn next(&mut self, input: &mut Bytes, is_over: bool) -> Option<ImportRecord> {
        while let Some(end) = input.iter().position(|byte| *byte == b'\n') {
            let part = input.split_to(end + 1);
            self.push(part.get(..end).unwrap_or_default());
            let found = self.end();
            if found.is_some() {
                return found;
            }
        }
        self.push(&std::mem::take(input));
        if is_over { self.end() } else { None }
    }

    fn push(&mut self, part: &[u8]) {
        self.is_too_long |= self.text.len() + part.len() > MAX_RECORD_BYTES;
        if self.is_too_long {
            self.text = Vec::new();
        } else {
            self.text.extend_from_slice(part);
        }
    }

    fn end(&mut self) -> Option<ImportRecord> {
        self.line += 1;
        let (line, mut text) = (self.line, std::mem::take(&mut self.text));
        if std::mem::take(&mut self.is_too_long) {
            return Some(ImportRecord { line, content: Content::TooLong });
        }
        if line == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        let is_blank = text.iter().all(u8::is_ascii_whitespace);
        (!is_blank).then_some(ImportRecord { line, content: Content::Text(text) })
    }
}

/// Records of CSV; empty lines are skipped.
pub(super) struct Csv {
    reader: Reader,
    /// The current record's text.
    text: Vec<u8>,
    ends: Vec<usize>,
    filled: (usize, usize),
    /// The line where it began.
    line: Option<u64>,
    is_too_long: bool,
    /// Lines that were skipped before the reader.
    skipped: u64,
}

impl Default for Csv {
    fn default() -> Self {
        Self {
            reader: Reader::new(),
            text: vec![0; MAX_RECORD_BYTES],
            ends: vec![0; MAX_COLUMNS + 1],
            filled: (0, 0),
            line: None,
            is_too_long: false,
            skipped: 0,
        }
    }
}

impl Csv {
    fn next(&mut self, input: &mut Bytes, is_over: bool) -> Option<ImportRecord> {
        loop {
            if self.line.is_none() {
                // Empty lines are skipped here: the reader would skip them without reporting where the record begins.
                while let Some(byte) = input.first().filter(|byte| matches!(byte, b'\n' | b'\r')) {
                    self.skipped += u64::from(*byte == b'\n');
                    let _ = input.split_to(1);
                }
                if input.is_empty() {
                    return None;
                }
                self.line = Some(self.reader.line() + self.skipped);
            }
            if input.is_empty() && !is_over {
                return None;
            }
            let (text, ends) = self.filled;
            let (text_left, ends_left) = (self.text.get_mut(text..)?, self.ends.get_mut(ends..)?);
            let (result, read, written, ended) = self.reader.read_record(input, text_left, ends_left);
            let _ = input.split_to(read);
            self.filled = (text + written, ends + ended);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    self.is_too_long = true;
                    self.filled = (0, 0);
                }
                ReadRecordResult::Record => return Some(self.end()),
                ReadRecordResult::End => {
                    self.line = None;
                    return None;
                }
            }
        }
    }

    fn end(&mut self) -> ImportRecord {
        let line = self.line.take().unwrap_or_default();
        let (_, count) = std::mem::take(&mut self.filled);
        if std::mem::take(&mut self.is_too_long) {
            return ImportRecord { line, content: Content::TooLong };
        }
        let mut start = 0;
        let fields = self.ends.iter().take(count).map(|end| {
            let field = self.text.get(start..*end).unwrap_or_default();
            start = *end;
            field.to_vec()
        });
        let mut fields: Vec<Vec<u8>> = fields.collect();
        if let Some(first) = fields.first_mut().filter(|first| line == 1 && first.starts_with(BYTE_ORDER_MARK)) {
            first.drain(..BYTE_ORDER_MARK.len());
        }
        ImportRecord { line, content: Content::Fields(fields) }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    /// The records of a text that arrives in parts of this size.
    async fn records(text: &[u8], size: usize, splitter: Splitter) -> Vec<ImportRecord> {
        let chunks: Vec<_> =
            text.chunks(size).map(|part| Ok::<_, std::io::Error>(Bytes::copy_from_slice(part))).collect();
        let body = Body::from_stream(futures_util::stream::iter(chunks));
        let mut records = Records::of(body, splitter);
        let mut found = Vec::new();
        while let Some(record) = records.next().await.unwrap() {
            found.push(record);
        }
        found
    }

    #[tokio::test]
    async fn lines_are_the_same_however_they_come() {
        let text = b"\xef\xbb\xbf{\"a\":1}\r\n\n  \n{\"b\":2}";
        for size in [1, 2, 3, 100] {
            let found = records(text, size, Splitter::Lines(Lines::default())).await;
            let shown: Vec<_> = found
                .iter()
                .map(|record| match &record.content {
                    Content::Text(text) => (record.line, std::str::from_utf8(text).unwrap().trim()),
                    _ => (record.line, "?"),
                })
                .collect();
            assert_eq!(shown, [(1, "{\"a\":1}"), (4, "{\"b\":2}")], "{size}");
        }
    }

    #[tokio::test]
    async fn records_of_csv_are_the_same_however_they_come() {
        let text = "\u{feff}name,customData\r\n\r\n\"Ada, \"\"the\nfirst\"\"\",{}\nBob,\n\n".as_bytes();
        for size in [1, 2, 3, 100] {
            let found = records(text, size, Splitter::Csv(Box::default())).await;
            let fields = |texts: &[&str]| Content::Fields(texts.iter().map(|text| text.as_bytes().to_vec()).collect());
            let expected = [
                ImportRecord { line: 1, content: fields(&["name", "customData"]) },
                ImportRecord { line: 3, content: fields(&["Ada, \"the\nfirst\"", "{}"]) },
                ImportRecord { line: 5, content: fields(&["Bob", ""]) },
            ];
            assert_eq!(found, expected, "{size}");
        }
    }

    #[tokio::test]
    async fn a_record_without_end_costs_itself_alone_and_no_memory() {
        let long = "x".repeat(MAX_RECORD_BYTES + 1);
        let kinds = [Splitter::Lines(Lines::default()), Splitter::Csv(Box::default())];
        for splitter in kinds {
            let found = records(format!("a\n{long}{long}\nb").as_bytes(), 10_000, splitter).await;
            let lines: Vec<_> = found.iter().map(|record| (record.line, record.content == Content::TooLong)).collect();
            assert_eq!(lines, [(1, false), (2, true), (3, false)]);
        }
        let many = format!("{}\na", ",".repeat(MAX_COLUMNS + 1));
        let found = records(many.as_bytes(), 100, Splitter::Csv(Box::default())).await;
        assert_eq!((found.len(), &found[0].content), (2, &Content::TooLong));
    }
}
