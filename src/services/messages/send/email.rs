//! An email on the wire (RFC 5322): headers that nothing in a message can change, and a text part, an HTML part, or
//! both.

use super::SendFailure;
use crate::messages::letter::Letter;
use crate::messages::outgoing::Outgoing;
use claimsmith_domain::connector::SmtpConfig;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};
use std::time::{Duration, SystemTime};

/// Suppresses automatic replies (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Composes it.
pub(super) fn compose(config: &SmtpConfig, message: &Outgoing, letter: &Letter) -> Result<Message, SendFailure> {
    let from =
        mailbox(config.from_email.as_str()).ok_or_else(|| SendFailure::later("fromEmail is no email address"))?;
    let from = match &letter.send_from {
        Some(name) => named(name, from.email).ok_or_else(|| SendFailure::later("the sender's name is not one line"))?,
        None => from,
    };
    let to: Address =
        message.recipient.parse().map_err(|_| SendFailure::never("the recipient's address cannot be written to"))?;
    let reply_to =
        letter.reply_to.as_deref().or(config.reply_to.as_ref().map(claimsmith_domain::documents::text::Text::as_str));
    let sent_at = SystemTime::UNIX_EPOCH + Duration::from_millis(message.at.unsigned_abs());
    let mut builder = Message::builder()
        .message_id(Some(format!("<{}@{}>", message.id, from.email.domain())))
        .date(sent_at)
        .from(from)
        .to(Mailbox::new(None, to))
        .subject(letter.subject.as_str())
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
    if let Some(reply_to) = reply_to {
        builder = builder.reply_to(mailbox(reply_to).ok_or_else(|| SendFailure::later("replyTo is no email address"))?);
    }
    let email = match (&letter.plain, &letter.html) {
        (Some(plain), Some(html)) => builder.multipart(MultiPart::alternative_plain_html(plain.clone(), html.clone())),
        (_, Some(html)) => builder.singlepart(SinglePart::html(html.clone())),
        (plain, None) => builder.singlepart(SinglePart::plain(plain.clone().unwrap_or_default())),
    };
    email.map_err(|error| SendFailure::never(format!("the e-mail cannot be composed: {error}")))
}

/// `ada@example.com`, or `Ada <ada@example.com>`.
fn mailbox(text: &str) -> Option<Mailbox> {
    let Some((name, address)) = text.trim().strip_suffix('>').and_then(|text| text.rsplit_once('<')) else {
        return Some(Mailbox::new(None, text.trim().parse().ok()?));
    };
    let name = name.trim().trim_matches('"');
    let address = address.trim().parse().ok()?;
    if name.is_empty() { Some(Mailbox::new(None, address)) } else { named(name, address) }
}

/// An address with a name. A name with a line break is dropped: writing a mailbox with it panics.
fn named(name: &str, address: Address) -> Option<Mailbox> {
    (!name.contains(char::is_control)).then(|| Mailbox::new(Some(name.to_owned()), address))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_domain::documents::language::LanguageTag;
    use claimsmith_domain::documents::message::TemplateType;
    use claimsmith_domain::message::Contents;
    use serde_json::json;

    fn written(subject: &str, recipient: &str, send_from: Option<&str>) -> Result<String, SendFailure> {
        let config = json!({ "host": "mail.example.com", "port": 25, "fromEmail": "Shop <shop@example.com>" });
        let message = Outgoing {
            id: "msg_1".to_owned(),
            recipient: recipient.to_owned(),
            template: TemplateType::Generic,
            language: LanguageTag::english(),
            contents: Contents::code("123456"),
            at: 1_795_257_406_000,
            valid_ms: 0,
        };
        let letter = Letter {
            subject: subject.to_owned(),
            plain: Some("Hello\r\n.\r\nQUIT\n.\n".to_owned()),
            html: None,
            reply_to: None,
            send_from: send_from.map(str::to_owned),
        };
        let email = compose(&SmtpConfig::read(&config).unwrap(), &message, &letter)?;
        Ok(String::from_utf8(email.formatted()).unwrap())
    }

    #[test]
    fn an_email_has_the_headers_that_it_needs() {
        let email = written("Ihr Code für Ärger", "ada@example.com", None).unwrap();
        let (head, _) = email.split_once("\r\n\r\n").unwrap();
        for line in [
            "From: Shop <shop@example.com>",
            "To: ada@example.com",
            "Message-ID: <msg_1@example.com>",
            "Date: Sat, 21 Nov 2026 10:36:46 +0000",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ] {
            assert!(head.lines().any(|found| found == line), "{line} is not in\n{head}");
        }
        assert!(head.is_ascii(), "{head}");
    }

    #[test]
    fn nothing_in_a_message_makes_a_header() {
        let hostile = "x\r\nBcc: eve@example.com\r\n\r\n<h1>";
        let email = written(hostile, "ada@example.com", None).unwrap();
        let (head, _) = email.split_once("\r\n\r\n").unwrap();
        assert!(!head.lines().any(|line| line.to_ascii_lowercase().starts_with("bcc")), "{head}");
        for name in [hostile, "x\n", "\rx", "\0"] {
            assert!(written("x", "ada@example.com", Some(name)).is_err_and(|failure| !failure.is_final), "{name:?}");
        }
        for recipient in ["ada@example.com\r\nRCPT TO:<eve@example.com>", "ada@example.com, eve@example.com", "ada"] {
            assert!(written("x", recipient, None).is_err_and(|failure| failure.is_final), "{recipient}");
        }
    }

    #[test]
    fn a_sender_may_have_a_name() {
        for (text, shown) in [
            ("a@example.com", Some("a@example.com")),
            (" Ada Lovelace <a@example.com> ", Some("Ada Lovelace <a@example.com>")),
            ("\"Ada\" <a@example.com>", Some("Ada <a@example.com>")),
            ("<a@example.com>", Some("a@example.com")),
            ("Ada", None),
            ("Ada <a>", None),
            ("Ada\r\nBcc: eve <a@example.com>", None),
        ] {
            assert_eq!(mailbox(text).map(|mailbox| mailbox.to_string()).as_deref(), shown, "{text}");
        }
    }
}
