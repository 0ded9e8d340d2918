//! Pseudonyms: a text of the same form and length, which only the key of the recording leads to. Each word of a text is
//! replaced by itself, so that equal words stay equal, in whatever text they stand; what separates words stays.

use aws_lc_rs::hmac;
use std::net::IpAddr;

/// Schemes of URLs, which are kept.
const SCHEMES: [&str; 8] = ["http", "https", "ws", "wss", "mailto", "tel", "data", "urn"];

/// How often a word is tried again that became itself.
const TRIES: u8 = 8;

/// The key of the pseudonyms of one recording.
pub(super) struct Pseudonyms(hmac::Key);

/// Which characters a word is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Those of its own kind, one by one.
    Own,
    /// Hexadecimal digits.
    Hex,
}

impl Pseudonyms {
    pub(super) fn new(key: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// The pseudonym of a text.
    pub(super) fn of(&self, text: &str) -> String {
        if let Some(time) = self.of_time(text) {
            return time;
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return if address.is_ipv4() { self.of_ipv4(text) } else { self.words(text, Alphabet::Hex) };
        }
        if is_uuid(text) {
            return self.words(text, Alphabet::Hex);
        }
        match text.split_once(':') {
            Some((scheme, rest)) if SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) => {
                format!("{scheme}:{}", self.of_url(rest))
            }
            _ => self.words(text, Alphabet::Own),
        }
    }

    /// What follows the scheme: a port stays one, and what is percent-encoded stays so.
    fn of_url(&self, rest: &str) -> String {
        let end = rest.strip_prefix("//").map_or(0, |hier| hier.find(['/', '?', '#']).unwrap_or(hier.len()) + 2);
        let (authority, path) = rest.split_at(end);
        let (host, port) = match authority.rsplit_once(':') {
            // What is longer is no port, but may be the number of somebody.
            Some((host, port)) if (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit()) => {
                (host, format!(":{port}"))
            }
            _ => (authority, String::new()),
        };
        let bare = host.trim_start_matches('/');
        let host = match bare.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(IpAddr::V4(_)) => format!("//{}", self.of_ipv4(bare)),
            Ok(IpAddr::V6(_)) => self.words(host, Alphabet::Hex),
            Err(_) => self.words(host, Alphabet::Own),
        };
        let mut shown = host + &port;
        for (index, part) in path.split('%').enumerate() {
            let is_encoded =
                index > 0 && part.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            if index > 0 {
                shown.push('%');
            }
            let words = if is_encoded { part.get(2..).unwrap_or_default() } else { part };
            if is_encoded {
                // One of ASCII, so that it is never a part of a longer character.
                shown.push_str("4A");
            }
            shown.push_str(&self.words(words, Alphabet::Own));
        }
        shown
    }

    /// Numbers of an address stay below 200.
    fn of_ipv4(&self, text: &str) -> String {
        let part = |part: &str| {
            let bytes = self.bytes(part, 0, 3);
            let digit = |index: usize, from: u8, count: u8| {
                char::from(b'0' + from + bytes.get(index).copied().unwrap_or_default() % count)
            };
            match part.len() {
                1 => digit(0, 1, 9).to_string(),
                2 => [digit(0, 1, 9), digit(1, 0, 10)].iter().collect(),
                _ => ['1', digit(1, 0, 10), digit(2, 0, 10)].iter().collect::<String>(),
            }
        };
        text.split('.').map(part).collect::<Vec<_>>().join(".")
    }

    /// A day or a moment (RFC 3339) stays one; `None` if the text is neither.
    fn of_time(&self, text: &str) -> Option<String> {
        let (day, rest) = text.split_at_checked(10)?;
        if !has_form(day, "0000-00-00") || !(rest.is_empty() || has_form(rest.get(..9)?, "T00:00:00")) {
            return None;
        }
        let bytes = self.bytes(day, 0, 3);
        let byte = |index: usize| bytes.get(index).copied().unwrap_or_default();
        let shown = format!("{:04}-{:02}-{:02}", 1950 + u16::from(byte(0) % 70), 1 + byte(1) % 12, 1 + byte(2) % 28);
        let Some((_, zone)) = rest.split_at_checked(9) else { return Some(shown) };
        let bytes = self.bytes(rest, 0, 3);
        let byte = |index: usize| bytes.get(index).copied().unwrap_or_default();
        let clock = format!("T{:02}:{:02}:{:02}", byte(0) % 24, byte(1) % 60, byte(2) % 60);
        let zone = if is_zone(zone) { zone.to_owned() } else { self.words(zone, Alphabet::Own) };
        Some(shown + &clock + &zone)
    }

    fn words(&self, text: &str, alphabet: Alphabet) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_word) {
            let (between, from) = rest.split_at(start);
            let end = from.find(|c| !is_of_word(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            shown.push_str(between);
            shown.push_str(&self.word(word, alphabet));
            rest = after;
        }
        shown + rest
    }

    /// Upper and lower case of one word have one pseudonym, in the case of each.
    fn word(&self, word: &str, alphabet: Alphabet) -> String {
        let length = word.chars().count();
        let folded = word.to_lowercase();
        let mut shown = String::new();
        for tried in 0..TRIES {
            let bytes = self.bytes(&folded, tried, length);
            shown =
                word.chars().zip(bytes).enumerate().map(|(at, (c, byte))| like(c, byte, alphabet, at == 0)).collect();
            if shown != word {
                break;
            }
        }
        shown
    }

    /// So many bytes that depend on the key and the text.
    fn bytes(&self, text: &str, tried: u8, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length + 32);
        let mut block = 0_u32;
        while bytes.len() < length {
            let mut context = hmac::Context::with_key(&self.0);
            context.update(&block.to_be_bytes());
            context.update(&[tried]);
            context.update(text.as_bytes());
            bytes.extend_from_slice(context.sign().as_ref());
            block += 1;
        }
        bytes.truncate(length);
        bytes
    }
}

/// A character of the same kind: of as many bytes, and as many units of UTF-16.
fn like(c: char, byte: u8, alphabet: Alphabet, is_first: bool) -> char {
    let of = |first: char, count: u32| char::from_u32(u32::from(first) + u32::from(byte) % count).unwrap_or('x');
    match c {
        '0'..='9' | 'a'..='f' if alphabet == Alphabet::Hex && !(is_first && c.is_ascii_digit()) => {
            char::from_digit(u32::from(byte) % 16, 16).unwrap_or('0')
        }
        'A'..='F' if alphabet == Alphabet::Hex => {
            char::from_digit(u32::from(byte) % 16, 16).unwrap_or('0').to_ascii_uppercase()
        }
        // A number does not begin with a zero that it did not begin with.
        '1'..='9' if is_first => of('1', 9),
        '0'..='9' => of('0', 10),
        'a'..='z' => of('a', 26),
        'A'..='Z' => of('A', 26),
        _ if c.len_utf8() == 2 && c.is_uppercase() => of('À', 23),
        _ if c.len_utf8() == 2 => of('à', 23),
        // Hiragana.
        _ if c.len_utf8() == 3 => of('ぁ', 83),
        // Faces.
        _ => of('😀', 64),
    }
}

/// Letters and digits; of other scripts everything, since marks and signs tell as well.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// What follows the seconds of a moment: a fraction and the difference to UTC.
fn is_zone(text: &str) -> bool {
    let (fraction, offset) = match text.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
        None => ("", text),
    };
    // Nanoseconds: more digits are no fraction.
    fraction.len() <= 9 && (matches!(offset, "" | "Z") || has_form(offset, "+00:00") || has_form(offset, "-00:00"))
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a text has this form: a digit for each 0, everything else as it is.
fn has_form(text: &str, form: &str) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        Pseudonyms::new(&[7; 32]).of(text)
    }

    /// The text with a letter for each kind of character.
    fn form(text: &str) -> String {
        let kind = |c: char| match c {
            '0'..='9' => '0',
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            c if c.is_ascii() => c,
            c => match c.len_utf8() {
                2 => 'é',
                3 => 'あ',
                _ => '😀',
            },
        };
        text.chars().map(kind).collect()
    }

    #[test]
    fn a_text_keeps_its_form() {
        for text in [
            "Ada Lovelace",
            "ada.lovelace+news@mail.example.com",
            "+44 (20) 7946-0958",
            "q3v8k1znw2pd7f0ymx4ab",
            "https://ada:secret@example.com:8443/people/ada?q=a%20b#top",
            "mailto:ada@example.com",
            "Größe 12 – 日本 😀!",
            "de-DE",
            "Europe/Berlin",
            "007",
        ] {
            let shown = of(text);
            let expected = form(&text.replace("%20", "%4A"));
            assert_eq!(form(&shown), expected, "{text} became {shown}");
            assert_eq!(shown.len(), text.len(), "{text}");
            assert_eq!(shown.encode_utf16().count(), text.encode_utf16().count(), "{text}");
            for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3) {
                let is_kept = ["https", "mailto", "8443"].contains(&word);
                assert_eq!(shown.contains(word), is_kept, "{text} became {shown}");
            }
        }
        assert_eq!(of(""), "");
        assert_eq!(of("-- !"), "-- !");
    }

    #[test]
    fn what_is_parsed_stays_parsed() {
        for address in ["192.168.0.254", "1.2.3.4", "2001:db8::ff00:42:8329", "::1"] {
            let shown = of(address);
            assert!(shown.parse::<IpAddr>().is_ok() && shown.len() == address.len(), "{address} became {shown}");
        }
        for url in ["https://192.168.0.1:8080/x", "http://[2001:db8::1]/ada", "https://example.com/%C3%A4?x=%2F%zz"] {
            let shown = of(url);
            let (before, after) = (url::Url::parse(url).ok(), url::Url::parse(&shown).ok());
            assert_eq!(before.and_then(|url| url.port()), after.as_ref().and_then(url::Url::port), "{shown}");
            assert!(after.is_some_and(|after| after.host().is_some()), "{url} became {shown}");
        }
        let uuid = of("0192b7c4-6a1e-7d3f-8b52-4c9e1f7a2d60");
        assert!(is_uuid(&uuid) && !uuid.contains("6a1e"), "{uuid}");
        for (time, end) in
            [("1990-12-31", ""), ("2026-01-02T03:04:05.678Z", ".678Z"), ("2026-01-02T03:04:05+02:00", "+02:00")]
        {
            let shown = of(time);
            assert!(shown.ends_with(end) && shown.len() == time.len() && shown != time, "{time} became {shown}");
            let day = shown.get(..10).and_then(|day| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").ok());
            assert!(day.is_some(), "{shown}");
        }
        assert_eq!(form(&of("1990-12-311")), "0000-00-000", "what only begins like a day is a text");
        for number in
            ["2026-01-02T03:04:05.4917012345678", "2026-01-02T03:04:05:4917012345678", "https://x:4917012345678/"]
        {
            assert!(!of(number).contains("4917012345678"), "{number}");
        }
    }

    #[test]
    fn equal_words_stay_equal_wherever_they_stand() {
        let name = of("lovelace");
        assert_eq!(of("Ada Lovelace").to_lowercase().split(' ').next_back(), Some(name.as_str()));
        assert!(of("ada.lovelace@example.com").contains(&name));
        assert_eq!(of("LOVELACE"), name.to_uppercase());
    }

    #[test]
    fn another_key_leads_to_other_pseudonyms() {
        let other = Pseudonyms::new(&[8; 32]).of("lovelace@example.com");
        assert_ne!(other, of("lovelace@example.com"));
    }

    #[test]
    fn no_word_becomes_itself() {
        // Of a digit there are nine others, so that one of them would.
        for word in (0..10).map(|digit| digit.to_string()).chain(('a'..='z').map(String::from)) {
            assert_ne!(of(&word), word);
        }
    }

    #[test]
    fn a_word_of_any_length_is_replaced_to_its_end() {
        let long = "x".repeat(1000);
        let shown = of(&long);
        assert_eq!(shown.len(), 1000);
        assert!(!shown.contains("xxxx"), "{shown}");
    }
}
