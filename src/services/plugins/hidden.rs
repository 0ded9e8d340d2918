//! Masks the code and the link of a message in the log of a message plugin, which gets both: with one of them, a reader
//! of the log could sign in as the recipient.

use super::outgoing::Message;
use claimsmith_runtime::Secrets;
use std::borrow::Cow;
use url::Url;

/// The minimum length of a link's parameter that is treated as a secret; shorter ones are ordinary words.
const MIN_PARAMETER_BYTES: usize = 8;
/// The maximum bytes between two digits of a code that is written with separators.
const MAX_GAP_BYTES: usize = 8;
/// Replaces a code that is written in that way.
const MASK: &str = "***";

/// The secrets of a plugin, with the code and the link of one message.
pub(super) struct Hidden {
    secrets: Secrets,
    code: Option<String>,
}

impl Hidden {
    pub(super) fn of(secrets: &Secrets, message: &Message<'_>) -> Self {
        let link = message.link.and_then(|link| Url::parse(link).ok());
        let parameters = link.iter().flat_map(|link| link.query_pairs()).map(|(_, value)| value.into_owned());
        let parameters = parameters.filter(|value| value.len() >= MIN_PARAMETER_BYTES);
        let whole = [message.code, message.link].into_iter().flatten().map(str::to_owned);
        let own = whole.chain(parameters).map(|value| (String::new(), value));
        let code = message.code.filter(|code| code.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned);
        Self { secrets: Secrets::from_pairs(secrets.pairs().iter().cloned().chain(own).collect()), code }
    }

    /// The text without them.
    pub(super) fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let masked = self.secrets.mask(text);
        match self.code.as_deref().and_then(|code| scattered(&masked, code)) {
            Some(without) => Cow::Owned(without),
            None => masked,
        }
    }
}

/// The text without the digits of a code that are written apart, or backwards. `None` if it has none.
fn scattered(text: &str, code: &str) -> Option<String> {
    let digits: Vec<(usize, u8)> = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).collect();
    let (forwards, length) = (code.as_bytes(), code.len());
    let is_code = |window: &[(usize, u8)]| {
        let is_near = window.windows(2).all(|pair| pair[1].0 - pair[0].0 <= MAX_GAP_BYTES + 1);
        let found = || window.iter().map(|(_, digit)| digit);
        is_near && (found().eq(forwards.iter()) || found().eq(forwards.iter().rev()))
    };
    if length == 0 {
        return None;
    }
    let mut masked: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while let Some(window) = digits.get(at..at + length) {
        if is_code(window) {
            let (first, last) = (window[0].0, window[length - 1].0);
            let masked = masked.get_or_insert_default();
            masked.push_str(text.get(copied..first).unwrap_or_default());
            masked.push_str(MASK);
            (copied, at) = (last + 1, at + length);
        } else {
            at += 1;
        }
    }
    let mut masked = masked?;
    masked.push_str(text.get(copied..).unwrap_or_default());
    Some(masked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use serde_json::json;

    const LINK: &str = "https://id.example.com/invitation?id=inv1&token=kT9xQ2pL7vB4nM1z";

    fn hidden(code: Option<&str>, link: Option<&str>) -> Hidden {
        let message = Message {
            id: "msg_1",
            channel: "Email",
            event: "SignIn",
            recipient: "ada@example.com",
            language: "en",
            code,
            link,
            content: json!({}),
            context: json!({}),
        };
        let secrets = Secrets::from_pairs(vec![("KEY".to_owned(), "correct-horse".to_owned())]);
        Hidden::of(&secrets, &message)
    }

    #[test]
    fn a_code_is_masked_however_it_is_written() {
        let hidden = hidden(Some("482915"), None);
        for text in [
            "code 482915".to_owned(),
            "{\"code\":\"482915\"}".to_owned(),
            "4 8 2 9 1 5".to_owned(),
            "4-8-2-9-1-5 and 5,1,9,2,8,4".to_owned(),
            "519284".to_owned(),
            BASE64.encode(b"482915"),
            "343832393135".to_owned(),
            "['4', '8', '2', '9', '1', '5']".to_owned(),
        ] {
            let masked = hidden.mask(&text).into_owned();
            let digits: String = masked.chars().filter(char::is_ascii_digit).collect();
            assert!(masked.contains(MASK) && digits.is_empty(), "{text}: {masked}");
        }
        assert_eq!(hidden.mask("KEY is correct-horse"), "KEY is ***");
        for harmless in ["482914 4829", "sent 1 of 2 after 300 ms", "", "größe 4 ✓ 8"] {
            assert_eq!(hidden.mask(harmless), harmless);
        }
    }

    #[test]
    fn a_link_is_masked_with_what_is_secret_in_it() {
        let hidden = hidden(None, Some(LINK));
        assert_eq!(hidden.mask(&format!("open {LINK} now")), "open *** now");
        for text in ["token kT9xQ2pL7vB4nM1z", "/invitation?id=inv1&amp;token=kT9xQ2pL7vB4nM1z"] {
            assert!(!hidden.mask(text).contains("kT9x"), "{text}");
        }
        assert_eq!(hidden.mask("id=inv1"), "id=inv1");
    }
}
