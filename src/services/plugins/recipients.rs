//! Whether the request that a message plugin composes is only for the recipient of the message. Email addresses and
//! phone numbers are found as they are, in JSON, in forms, percent-encoded and in base64.
//!
//! Beside the recipient's, a request has what the operator wrote into the plugin's settings and what the message says:
//! a sender, an address for replies. Any other one was put there by the plugin, and would get the code.

use super::outgoing::Message;
use claimsmith_runtime::MessageRequest;
use claimsmith_runtime::json::{self, INCOMING};
use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD};
use serde_json::Value;
use std::collections::BTreeSet;
use url::Url;

/// The minimum length of a text to be decoded as base64; a shorter one cannot contain an address.
const MIN_ENCODED_BYTES: usize = 12;
/// Digits of a phone number with its country code (E.164 has at most 15); fewer may be a date.
const DIGITS: std::ops::RangeInclusive<usize> = 9..=15;
/// Digits of a number with the country code 1. Other numbers that begin with 1 are times, in seconds or milliseconds.
const NORTH_AMERICAN_DIGITS: usize = 11;

/// The problem of a request; `None` if it is only for the recipient. `settings`: the values in the plugin's settings.
pub(super) fn problem<'s>(
    message: &Message<'_>,
    request: &MessageRequest,
    settings: impl Iterator<Item = &'s str>,
    literals: &BTreeSet<String>,
) -> Option<&'static str> {
    let kind = if message.channel == "Sms" { AddressKind::Phone } else { AddressKind::Email };
    let mut known = literals.clone();
    let mut own = Vec::new();
    texts_of(&message.content, &mut own);
    texts_of(&message.context, &mut own);
    own.extend(settings.map(str::to_owned));
    known.extend(own.iter().flat_map(|text| kind.found_in(text)));
    let recipient = kind.found_in(message.recipient).into_iter().next()?;
    let found: BTreeSet<String> = texts(request).iter().flat_map(|text| kind.found_in(text)).collect();
    if !found.contains(&recipient) {
        return Some("the request does not name the recipient of the message");
    }
    if found.iter().all(|address| *address == recipient || known.contains(address)) {
        return None;
    }
    Some("the request names another recipient than that of the message")
}

/// The email addresses and phone numbers in the source of a plugin.
pub(super) fn literals(source: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(source);
    [AddressKind::Email, AddressKind::Phone].into_iter().flat_map(|kind| kind.found_in(&text)).collect()
}

#[derive(Clone, Copy)]
enum AddressKind {
    Email,
    Phone,
}

impl AddressKind {
    /// The email addresses in a text, in lowercase; or the digits of the phone numbers in international form, and of a
    /// text that is a number as a whole.
    fn found_in(self, text: &str) -> Vec<String> {
        match self {
            Self::Email => emails(text),
            Self::Phone => phones(text),
        }
    }
}

fn emails(text: &str) -> Vec<String> {
    let is_local = |letter: char| letter.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(letter);
    let is_domain = |letter: char| letter.is_alphanumeric() || letter == '.' || letter == '-';
    let found = text.match_indices('@').filter_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let start = before.char_indices().rev().take_while(|(_, letter)| is_local(*letter)).last()?.0;
        let end = after.char_indices().take_while(|(_, letter)| is_domain(*letter)).last();
        let end = end.map(|(index, letter)| index + letter.len_utf8())?;
        let domain = after[..end].trim_end_matches(['.', '-']);
        domain.contains('.').then(|| format!("{}@{domain}", &before[start..]).to_lowercase())
    });
    found.collect()
}

fn phones(text: &str) -> Vec<String> {
    let is_separator = |letter: char| letter.is_whitespace() || "-./()\u{a0}".contains(letter);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('+') {
        let number = text[at + 1..].chars().take_while(|letter| letter.is_ascii_digit() || is_separator(*letter));
        found.push(number.filter(char::is_ascii_digit).collect::<String>());
    }
    let whole = text.trim().trim_start_matches('+');
    let whole = whole.strip_prefix("00").unwrap_or(whole);
    if whole.chars().all(|letter| letter.is_ascii_digit() || is_separator(letter)) {
        found.push(whole.chars().filter(char::is_ascii_digit).collect());
    }
    found.retain(|digits| {
        let is_time = digits.starts_with('1') && digits.len() != NORTH_AMERICAN_DIGITS;
        DIGITS.contains(&digits.len()) && !is_time
    });
    found
}

/// All texts of a request, decoded.
fn texts(request: &MessageRequest) -> Vec<String> {
    let mut texts = Vec::new();
    if let Ok(url) = Url::parse(&request.url) {
        texts.extend(url.query_pairs().flat_map(|(name, value)| [name.into_owned(), value.into_owned()]));
        texts.push(percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy().into_owned());
    }
    texts.extend(request.headers.iter().map(|(_, value)| value.clone()));
    if let Some(body) = &request.body {
        if let Ok(value) = json::read::<Value>(body.as_bytes(), INCOMING) {
            texts_of(&value, &mut texts);
        } else {
            texts.extend(
                form_urlencoded::parse(body.as_bytes())
                    .flat_map(|(name, value)| [name.into_owned(), value.into_owned()]),
            );
            texts.push(body.clone());
        }
    }
    let decoded: Vec<String> = texts.iter().flat_map(|text| words_in_base64(text)).collect();
    texts.extend(decoded);
    texts
}

/// The texts of a JSON value, names and values.
fn texts_of(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(members) => {
            for (name, value) in members {
                texts.push(name.clone());
                texts_of(value, texts);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// The base64-decoded words of a text.
fn words_in_base64(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace().filter(|word| word.len() >= MIN_ENCODED_BYTES);
    words.filter_map(|word| {
        let alphabets = [BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD];
        let decoded = alphabets.iter().find_map(|alphabet| alphabet.decode(word.as_bytes()).ok())?;
        String::from_utf8(decoded).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(url: &str, body: Option<String>) -> MessageRequest {
        let headers = vec![("accept".to_owned(), "application/json".to_owned())];
        MessageRequest { method: "POST".to_owned(), url: url.to_owned(), headers, body }
    }

    fn message<'m>(channel: &'m str, recipient: &'m str) -> Message<'m> {
        Message {
            id: "msg_1",
            channel,
            event: "SignIn",
            recipient,
            language: "en",
            code: Some("123456"),
            link: None,
            content: json!({ "text": "Your code: 123456. Help: help@shop.example", "replyTo": "help@shop.example" }),
            context: json!({ "user": { "primaryEmail": "ada@example.com" } }),
        }
    }

    const URL: &str = "https://mail.example.com/send";
    const ADA: &str = "ada@example.com";
    const PHONE: &str = "+16502530000";

    #[test]
    fn a_request_is_for_the_recipient_alone() {
        let settings = ["Shop <no-reply@shop.example>", "+15005550006"];
        let other = Some("the request names another recipient than that of the message");
        let nobody = Some("the request does not name the recipient of the message");
        let form =
            |pairs: &[(&str, &str)]| Some(form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish());
        let json = |value: Value| Some(value.to_string());
        let mime =
            |to: &str| BASE64.encode(format!("From: no-reply@shop.example\r\nTo: {to}\r\n\r\n123456").as_bytes());
        for (channel, url, body, expected) in [
            ("Email", URL, json(json!({ "To": ADA, "From": "no-reply@shop.example" })), None),
            ("Email", URL, json(json!({ "to": [{ "email": "Ada@Example.com", "name": "Ada" }] })), None),
            ("Email", URL, json(json!({ "To": format!("Ada <{ADA}>"), "ReplyTo": "help@shop.example" })), None),
            ("Email", URL, form(&[("to", ADA), ("from", "literal@shop.example")]), None),
            ("Email", "https://mail.example.com/send?to=ada%40example.com", None, None),
            ("Email", URL, json(json!({ "raw": mime(ADA) })), None),
            ("Email", URL, json(json!({ "To": "eve@evil.example" })), nobody),
            ("Email", URL, json(json!({ "To": ADA, "Bcc": "eve@evil.example" })), other),
            ("Email", URL, json(json!({ "To": format!("{ADA},eve@evil.example") })), other),
            ("Email", URL, json(json!({ "To": ADA, "eve@evil.example": 1 })), other),
            ("Email", URL, form(&[("to", ADA), ("bcc", "eve@evil.example")]), other),
            ("Email", "https://mail.example.com/send?cc=eve%40evil.example", json(json!({ "To": ADA })), other),
            ("Email", URL, json(json!({ "To": ADA, "raw": mime("eve@evil.example") })), other),
            ("Email", URL, Some(format!("{{\"To\":\"{ADA}\",\"Bcc\":\"eve\\u0040evil.example\"}}")), other),
            ("Email", URL, None, nobody),
            ("Sms", URL, form(&[("To", PHONE), ("From", "+15005550006"), ("Body", "Your code: 123456")]), None),
            ("Sms", URL, json(json!({ "to": "1 (650) 253-0000", "at": 1_764_380_000 })), None),
            ("Sms", URL, json(json!({ "to": 16_502_530_000_i64, "day": "2026-11-29" })), None),
            ("Sms", URL, json(json!({ "to": [PHONE, "+491511234567"] })), other),
            ("Sms", URL, json(json!({ "to": PHONE, "also": "00491511234567" })), other),
            ("Sms", URL, form(&[("To", "491511234567"), ("x", PHONE)]), other),
            ("Sms", URL, json(json!({ "to": "+491511234567" })), nobody),
        ] {
            let recipient = if channel == "Sms" { PHONE } else { ADA };
            let literals = literals(b"const FROM = \"literal@shop.example\";");
            let found =
                problem(&message(channel, recipient), &request(url, body.clone()), settings.into_iter(), &literals);
            assert_eq!(found, expected, "{channel} {url} {body:?}");
        }
    }
}
