//! Writes server-sent events. A client ends a line at LF, CR and CRLF alike, so texts are split at all of them;
//! otherwise the author of a log line could forge events.

/// An event with an id and a text of any number of lines.
pub(crate) fn event(id: &str, text: &str) -> String {
    let id = id.replace(['\r', '\n', '\0'], "");
    let data: Vec<String> = lines(text).map(|line| format!("data: {line}")).collect();
    format!("id: {id}\n{}\n\n", data.join("\n"))
}

/// A comment that keeps the connection open and is no event.
pub(crate) const NOTHING: &str = ":\n\n";

/// The lines of a text, split at every kind of line break; other control characters become U+FFFD.
fn lines(text: &str) -> impl Iterator<Item = String> {
    let ended = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let lines: Vec<String> = ended.split('\n').map(visible).collect();
    lines.into_iter()
}

fn visible(line: &str) -> String {
    line.chars().map(|letter| if letter.is_control() && letter != '\t' { '\u{fffd}' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events that a client parses (HTML standard, section 9.2.6): ids and data.
    fn read(stream: &str) -> Vec<(String, String)> {
        let stream = stream.replace("\r\n", "\n").replace('\r', "\n");
        let (mut found, mut id, mut data) = (Vec::new(), String::new(), Vec::new());
        for line in stream.split('\n') {
            match line.split_once(": ") {
                _ if line.is_empty() && !data.is_empty() => {
                    found.push((id.clone(), std::mem::take(&mut data).join("\n")));
                }
                Some(("id", value)) => value.clone_into(&mut id),
                Some(("data", value)) => data.push(value.to_owned()),
                _ => {}
            }
        }
        found
    }

    #[test]
    fn a_text_is_one_event_whatever_it_holds() {
        for ending in ["\n", "\r", "\r\n", "\n\r", "\r\r", "\n\n", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("first{ending}id: 9{ending}data: forged{ending}{ending}event: log{ending}data: more");
            let told = event("7", &text);
            let events = read(&told);
            assert_eq!(events.len(), 1, "{ending:?}: {told:?}");
            assert_eq!(events[0].0, "7");
            assert!(events[0].1.starts_with("first\n") && events[0].1.ends_with("data: more"), "{told:?}");
            assert!(!told.contains('\r'), "{told:?}");
        }
        assert_eq!(event("7\r\ndata: forged", "a"), "id: 7data: forged\ndata: a\n\n");
        assert_eq!(event("1", ""), "id: 1\ndata: \n\n");
        assert_eq!(event("1", "\u{1b}[31mred\tx"), "id: 1\ndata: \u{fffd}[31mred\tx\n\n");
    }
}
