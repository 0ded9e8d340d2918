//! The content of an email: the operator's own text, or the built-in one.

use super::outgoing::Outgoing;
use super::substitute::{OutputContext, substitute};
use super::texts::{self, Texts};
use claimsmith_domain::documents::connector::templates::{ConfigTemplate, ContentType, TemplateDetails};
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::language::choose;
use claimsmith_storage::messages::email_templates;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::{self as storage, Tx};
use serde_json::Value;
use std::fmt::Write as _;

/// The most characters of a subject.
const MAX_SUBJECT_CHARS: usize = 256;
/// The most bytes of a text, with all values in their places.
const MAX_TEXT_BYTES: usize = 256 << 10;

/// An e-mail as it is shown.
pub(crate) struct Letter {
    pub(crate) subject: String,
    pub(crate) plain: Option<String>,
    pub(crate) html: Option<String>,
    pub(super) reply_to: Option<String>,
    /// The name of the sender.
    pub(super) send_from: Option<String>,
}

/// The operator's text for a type of messages, in the recipient's language.
pub(super) struct Words {
    /// From `email-templates`.
    own: Option<TemplateDetails>,
    /// The languages to look for, the best one first.
    wanted: Vec<String>,
}

impl Words {
    /// Looks for them.
    pub(super) async fn find(tx: &mut Tx, template: TemplateType, language: &LanguageTag) -> storage::Result<Self> {
        let fallback = EXPERIENCE.find(tx).await?.language_info.fallback_language;
        let wanted = vec![language.as_str().to_owned(), fallback.as_str().to_owned()];
        let filter = email_templates::Filter { template_type: Some(template), language_tag: None };
        let mut found = email_templates::list(tx, filter).await?;
        let tags: Vec<LanguageTag> =
            found.iter().filter_map(|known| LanguageTag::try_from(known.language_tag.clone()).ok()).collect();
        let chosen = choose(&tags, &wanted.iter().map(String::as_str).collect::<Vec<_>>());
        let own = chosen.and_then(|tag| {
            let at = found.iter().position(|known| known.language_tag == tag.as_str())?;
            // An unreadable one is ignored; `claimsmith doctor` reports it.
            serde_json::from_value(found.swap_remove(at).details.0).ok()
        });
        Ok(Self { own, wanted })
    }
}

impl Letter {
    /// Writes a message. `templates` are those of the connector.
    pub(super) fn of(message: &Outgoing, words: &Words, templates: &[ConfigTemplate]) -> Self {
        let values = message.values();
        if let Some(own) = &words.own {
            return Self::custom(own, &values);
        }
        let of_connector = templates.iter().find(|template| template.usage_type == message.template);
        let wanted: Vec<&str> = words.wanted.iter().map(String::as_str).collect();
        let (language, texts) = texts::best(&wanted);
        let built_in = Self::built_in(message, &values, &texts, &language);
        let Some(template) = of_connector else { return built_in };
        let (plain, html) = body(template.content.as_str(), template.content_type, &values);
        let subject = template.subject.as_ref().map(|subject| one_line(subject.as_str(), &values));
        Self { subject: subject.unwrap_or(built_in.subject), plain, html, reply_to: None, send_from: None }
    }

    fn custom(own: &TemplateDetails, values: &Value) -> Self {
        let (plain, html) = body(own.content.as_str(), own.content_type, values);
        Self {
            subject: one_line(own.subject.as_str(), values),
            plain,
            html,
            reply_to: own.reply_to.as_ref().map(|text| one_line(text.as_str(), values)),
            send_from: own.send_from.as_ref().map(|text| one_line(text.as_str(), values)),
        }
    }

    fn built_in(message: &Outgoing, values: &Value, texts: &Texts, language: &LanguageTag) -> Self {
        let purpose = texts.purpose(message.template);
        let about = about(message, values);
        let subject = match &*about {
            "" => purpose.subject.clone(),
            about => one_line(&format!("{} · {about}", purpose.subject), &Value::Null),
        };
        let validity = texts.validity(message.valid_ms);
        let mut plain = format!("{subject}\n\n{}\n", purpose.instruction);
        if let Some(code) = &message.contents.code {
            let _ = write!(plain, "\n{}: {code}\n", texts.code);
        }
        if let Some(link) = &message.contents.link {
            let _ = write!(plain, "\n{link}\n");
        }
        if !validity.is_empty() {
            let _ = write!(plain, "\n{validity}\n");
        }
        let secret = message.contents.code.as_ref().map(|_| &*texts.keep_secret);
        for line in secret.into_iter().chain([&*texts.ignore]) {
            let _ = write!(plain, "\n{line}\n");
        }
        let mut shown = values.clone();
        if let Some(members) = shown.as_object_mut() {
            let more = [
                ("language", language.as_str()),
                ("subject", &*subject),
                ("instruction", &*purpose.instruction),
                ("openLink", &*texts.open_link),
                ("validity", &*validity),
                ("keepSecret", secret.unwrap_or_default()),
                ("ignore", &*texts.ignore),
            ];
            members.extend(more.map(|(name, text)| (name.to_owned(), Value::from(text))));
        }
        let body = match (&message.contents.code, &message.contents.link) {
            (Some(_), _) => format!("{HTML_HEAD}{HTML_CODE}{HTML_END}"),
            (None, Some(_)) => format!("{HTML_HEAD}{HTML_LINK}{HTML_END}"),
            (None, None) => format!("{HTML_HEAD}{HTML_END}"),
        };
        let html = substitute(&body, &shown, OutputContext::Html);
        Self { subject, plain: Some(plain), html: Some(html), reply_to: None, send_from: None }
    }
}

const HTML_HEAD: &str = "<!DOCTYPE html>\n<html lang=\"{{language}}\"><head><meta charset=\"utf-8\">\
    <title>{{subject}}</title></head>\n<body style=\"font-family: sans-serif; line-height: 1.5; color: #1a1a1a\">\n\
    <h1 style=\"font-size: 1.25em\">{{subject}}</h1>\n<p>{{instruction}}</p>\n";
const HTML_CODE: &str =
    "<p style=\"font-family: monospace; font-size: 2em; letter-spacing: 0.2em; font-weight: bold\">{{code}}</p>\n";
const HTML_LINK: &str =
    "<p><a href=\"{{link}}\">{{openLink}}</a></p>\n<p style=\"word-break: break-all\">{{link}}</p>\n";
const HTML_END: &str = "<p>{{validity}}</p>\n<p>{{keepSecret}}</p>\n<p style=\"color: #595959\">{{ignore}}</p>\n\
    </body></html>\n";

/// The text of a text message, by the connector's `templates` or the built-in ones.
pub(crate) fn short_text(message: &Outgoing, templates: &[ConfigTemplate]) -> String {
    if let Some(own) = templates.iter().find(|template| template.usage_type == message.template) {
        return bounded(substitute(own.content.as_str(), &message.values(), OutputContext::Plain));
    }
    let (_, texts) = texts::best(&[message.language.as_str()]);
    let about = about(message, &message.values());
    let about = if about.is_empty() { about } else { format!(" · {about}") };
    let secret = message.contents.code.as_ref().or(message.contents.link.as_ref());
    let subject = &texts.purpose(message.template).subject;
    format!("{subject}{about}: {}", secret.map(String::as_str).unwrap_or_default())
}

/// The name of the application or, for an invitation, of the organization; empty if there is none.
fn about(message: &Outgoing, values: &Value) -> String {
    let template = match message.template {
        TemplateType::OrganizationInvitation => "{{organization.name}}",
        TemplateType::AdministratorInvitation => "{{inviter.name}}",
        _ => "{{application.name}}",
    };
    substitute(template, values, OutputContext::Plain)
}

/// Plain text or HTML.
fn body(content: &str, kind: Option<ContentType>, values: &Value) -> (Option<String>, Option<String>) {
    match kind.unwrap_or_default() {
        ContentType::Plain => (Some(bounded(substitute(content, values, OutputContext::Plain))), None),
        ContentType::Html => (None, Some(bounded(substitute(content, values, OutputContext::Html)))),
    }
}

/// The text of a header: one line, not too long.
fn one_line(template: &str, values: &Value) -> String {
    let text = substitute(template, values, OutputContext::Plain);
    text.chars().filter(|letter| !letter.is_control()).take(MAX_SUBJECT_CHARS).collect()
}

fn bounded(mut text: String) -> String {
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use claimsmith_domain::message::Contents;
    use serde_json::json;

    fn message(template: TemplateType, language: &str, contents: Contents) -> Outgoing {
        Outgoing {
            id: "msg_1".to_owned(),
            recipient: "ada@example.com".to_owned(),
            template,
            language: LanguageTag::try_from(language.to_owned()).unwrap(),
            contents,
            at: 0,
            valid_ms: 600_000,
        }
    }

    fn words(own: Option<Value>, wanted: &[&str]) -> Words {
        let own = own.map(|own| serde_json::from_value(own).unwrap());
        Words { own, wanted: wanted.iter().map(|&tag| tag.to_owned()).collect() }
    }

    #[test]
    fn the_built_in_words_have_all_that_is_needed_in_every_language() {
        for language in ["en", "de", "fr", "es", "ja", "zh"] {
            for template in TemplateType::ALL {
                let contents =
                    Contents { application: Some(json!({ "name": "Shop <1>" })), ..Contents::code("123456") };
                let message = message(template, language, contents);
                let letter = Letter::of(&message, &words(None, &[language]), &[]);
                let (plain, html) = (letter.plain.unwrap(), letter.html.unwrap());
                assert!(plain.contains("123456") && html.contains("123456"), "{language} {template:?}");
                assert!(!html.contains("Shop <1>") && !html.contains("{{"), "{html}");
                assert!(html.contains(&format!("lang=\"{language}\"")), "{html}");
                assert!(short_text(&message, &[]).contains("123456"));
            }
        }
    }

    #[test]
    fn a_link_stands_in_the_text_and_can_be_opened() {
        let contents = Contents {
            organization: Some(json!({ "name": "Acme" })),
            ..Contents::link("https://id.example.com/i?a=1&b=\"2\"")
        };
        let message = message(TemplateType::OrganizationInvitation, "en", contents);
        let letter = Letter::of(&message, &words(None, &["en"]), &[]);
        assert_eq!(letter.subject, "You are invited to an organization · Acme");
        assert!(letter.plain.unwrap().contains("https://id.example.com/i?a=1&b=\"2\""));
        let html = letter.html.unwrap();
        assert!(html.contains("href=\"https://id.example.com/i?a=1&amp;b=&quot;2&quot;\""), "{html}");
    }

    #[test]
    fn the_notice_of_an_invitation_to_administer_has_no_link() {
        let contents = Contents { inviter: Some(json!({ "name": "Ada" })), ..Contents::default() };
        let message = message(TemplateType::AdministratorInvitation, "en", contents);
        let letter = Letter::of(&message, &words(None, &["en"]), &[]);
        assert_eq!(letter.subject, "You are invited to help run a service · Ada");
        let (plain, html) = (letter.plain.unwrap(), letter.html.unwrap());
        assert!(!plain.contains("http") && !html.contains("href") && !html.contains("{{"), "{plain} {html}");
    }

    #[test]
    fn the_operators_own_words_come_first() {
        let contents =
            Contents { application: Some(json!({ "name": "Shop\r\nBcc: eve" })), ..Contents::code("123456") };
        let message = message(TemplateType::SignIn, "en", contents);
        let config: Vec<ConfigTemplate> = serde_json::from_value(json!([
            { "usageType": "SignIn", "subject": "Of the connector {{code}}", "content": "<b>{{application.name}}</b>" },
        ]))
        .unwrap();
        let letter = Letter::of(&message, &words(None, &["en"]), &config);
        assert_eq!(letter.subject, "Of the connector 123456");
        assert_eq!((letter.plain, letter.html.as_deref()), (None, Some("<b>ShopBcc: eve</b>")));
        assert_eq!(short_text(&message, &config), "<b>ShopBcc: eve</b>");
        let own = json!({
            "subject": "{{application.name}}", "content": "{{code}} <", "contentType": "text/plain",
            "replyTo": "help@example.com", "sendFrom": "{{application.name}}",
        });
        let letter = Letter::of(&message, &words(Some(own), &["en"]), &config);
        assert_eq!((&*letter.subject, letter.plain.as_deref(), letter.html), ("ShopBcc: eve", Some("123456 <"), None));
        assert_eq!(letter.send_from.as_deref(), Some("ShopBcc: eve"));
    }
}
