//! Parses server-sent events (WHATWG HTML, 9.2) incrementally.

/// One event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) data: String,
    /// The last id that the stream named.
    pub(super) id: String,
}

/// The part of a stream that is not complete yet.
#[derive(Default)]
pub(super) struct Events {
    line: Vec<u8>,
    /// The line before ended with a carriage return: a newline now belongs to that end.
    after_return: bool,
    name: String,
    data: Vec<String>,
    id: String,
}

impl Events {
    /// Takes the next bytes; answers the events that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut complete = Vec::new();
        for &byte in bytes {
            let belongs = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                _ if belongs => {}
                b'\n' | b'\r' => complete.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        complete
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        // A stream may begin with a byte order mark.
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty()).then(|| Event { name, data: data.join("\n"), id: self.id.clone() });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.data.push(value.to_owned()),
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            // Comments keep the connection alive; `retry` is ignored.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Events};

    fn event(name: &str, data: &str, id: &str) -> Event {
        Event { name: name.to_owned(), data: data.to_owned(), id: id.to_owned() }
    }

    #[test]
    fn events_are_complete_with_an_empty_line_however_the_bytes_are_cut() {
        let stream = ": hello\n\nid: 7\nevent: log\ndata: {\"message\":\"größer\"}\n\nid:8\nevent:log\ndata:a\ndata: b\n\ndata: cut";
        let expected = [event("log", "{\"message\":\"größer\"}", "7"), event("log", "a\nb", "8")];
        for size in [1, 2, 3, 7, stream.len()] {
            let mut events = Events::default();
            let read: Vec<_> = stream.as_bytes().chunks(size).flat_map(|bytes| events.feed(bytes)).collect();
            assert_eq!(read, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn every_kind_of_line_end_is_one() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = ["id: 1", "data: x", "", "data: y", "", ""].join(end);
            for size in [1, stream.len()] {
                let mut events = Events::default();
                let read: Vec<_> = stream.as_bytes().chunks(size).flat_map(|bytes| events.feed(bytes)).collect();
                assert_eq!(read, [event("", "x", "1"), event("", "y", "1")], "{end:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn what_is_no_event_is_passed_over() {
        let mut events = Events::default();
        assert!(
            events.feed(b"\xef\xbb\xbf: keep-alive\n\nretry: 5\nevent: nothing\n\nunknown\nid: a\0b\n\n").is_empty()
        );
        assert_eq!(events.feed(b"data\n\n"), [event("", "", "")]);
    }
}
