//! The forms of a page, read from its HTML: their fields with what they show, and what is said about each field.

use claimsmith_test_support::CONSOLE_PASSWORD;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<form\b([^>]*)>(.*?)</form>").unwrap());
static CONTROL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?s)<(?:(input)\b([^>]*)>|(button)\b([^>]*)>",
        r"|(textarea)\b([^>]*)>(.*?)</textarea>|(select)\b([^>]*)>(.*?)</select>)"
    ))
    .unwrap()
});
static OPTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)<option\b([^>]*)>(.*?)(?:</option>|$)").unwrap());
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"([a-z-]+)(?:="([^"]*)")?"#).unwrap());
static DISABLED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?s)<fieldset\b[^>]* disabled[^>]*>.*</fieldset>").unwrap());
static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"<a\b[^>]*\bhref="(/[^"]*)""#).unwrap());

/// Groups of boxes of which at least one has to be ticked.
const NEEDED: [&str; 1] = ["events"];

/// What would run if it were written into a page.
const SCRIPT: &str = "\"><script>alert(1)</script>";

/// A form of a page.
#[derive(Clone)]
pub(crate) struct ShownForm {
    pub(crate) method: String,
    pub(crate) action: String,
    pub(crate) is_multipart: bool,
    pub(crate) fields: Vec<ShownField>,
}

/// A field that a browser would send, or would if it were filled in.
#[derive(Clone)]
pub(crate) struct ShownField {
    pub(crate) name: String,
    /// The type of an input; `textarea`, `select` or `button`.
    pub(crate) kind: String,
    /// What it holds; for a box or a button, what it sends.
    pub(crate) value: String,
    /// Whether it is sent as it stands: boxes only where they are ticked, the first button.
    pub(crate) is_sent: bool,
    pub(crate) attributes: BTreeMap<String, String>,
}

impl ShownField {
    /// Whether somebody types into it.
    pub(crate) fn is_typed(&self) -> bool {
        const TYPED: [&str; 9] = ["text", "email", "url", "tel", "number", "date", "password", "search", "textarea"];
        TYPED.contains(&self.kind.as_str()) && !self.attributes.contains_key("readonly")
    }

    pub(crate) fn is_required(&self) -> bool {
        self.attributes.contains_key("required")
    }
}

/// The forms of a page that can be sent, in their order.
pub(crate) fn forms(html: &str) -> Vec<ShownForm> {
    let read = |form: regex::Captures<'_>| {
        let (attributes, body) = (attributes(&form[1]), DISABLED.replace_all(&form[2], "").into_owned());
        let attribute = |name: &str| attributes.get(name).cloned().unwrap_or_default();
        ShownForm {
            method: attribute("method"),
            action: attribute("action"),
            is_multipart: attribute("enctype") == "multipart/form-data",
            fields: fields(&body),
        }
    };
    FORM.captures_iter(html).map(read).collect()
}

fn fields(body: &str) -> Vec<ShownField> {
    let mut has_button = false;
    let mut found = Vec::new();
    for control in CONTROL.captures_iter(body) {
        let part = |index: usize| control.get(index).map(|part| part.as_str());
        let (kind, tag, content) = match (part(1), part(3), part(5)) {
            (Some(_), ..) => ("input", part(2), ""),
            (_, Some(_), _) => ("button", part(4), ""),
            (.., Some(_)) => ("textarea", part(6), part(7).unwrap_or_default()),
            _ => ("select", part(9), part(10).unwrap_or_default()),
        };
        let attributes = attributes(tag.unwrap_or_default());
        let attribute = |name: &str| attributes.get(name).cloned();
        let kind = match kind {
            "input" => attribute("type").unwrap_or_else(|| "text".to_owned()),
            other => other.to_owned(),
        };
        let value = match kind.as_str() {
            // A browser drops the line break after the tag.
            "textarea" => unescaped(content.strip_prefix('\n').unwrap_or(content)),
            "select" => chosen(content),
            "checkbox" | "radio" => attribute("value").unwrap_or_else(|| "on".to_owned()),
            _ => attribute("value").unwrap_or_default(),
        };
        let is_sent = match kind.as_str() {
            "checkbox" | "radio" => attributes.contains_key("checked"),
            "button" => {
                attribute("type").is_none_or(|kind| kind == "submit") && !std::mem::replace(&mut has_button, true)
            }
            "file" | "submit" | "reset" => false,
            _ => true,
        };
        let Some(name) = attribute("name").filter(|_| !attributes.contains_key("disabled")) else { continue };
        found.push(ShownField { name, kind, value, is_sent, attributes });
    }
    found
}

/// The option that a browser would send.
fn chosen(options: &str) -> String {
    let options: Vec<_> = OPTION
        .captures_iter(options)
        .map(|option| {
            let attributes = attributes(&option[1]);
            let value = attributes.get("value").cloned().unwrap_or_else(|| unescaped(option[2].trim()));
            (value, attributes.contains_key("selected"))
        })
        .collect();
    let selected = options.iter().find(|(_, is_selected)| *is_selected).or(options.first());
    selected.map(|(value, _)| value.clone()).unwrap_or_default()
}

fn attributes(tag: &str) -> BTreeMap<String, String> {
    let read = |found: regex::Captures<'_>| {
        (found[1].to_owned(), found.get(2).map(|value| unescaped(value.as_str())).unwrap_or_default())
    };
    ATTRIBUTE.captures_iter(tag).map(read).collect()
}

/// A text without the escapes of HTML.
fn unescaped(text: &str) -> String {
    let characters = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
    ];
    let text = characters.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain));
    text.replace("&#38;", "&").replace("&amp;", "&")
}

/// The paths with this beginning that a page links to.
pub(crate) fn links(html: &str, beginning: &str) -> Vec<String> {
    let read = |found: regex::Captures<'_>| unescaped(&found[1]).split('#').next().unwrap_or_default().to_owned();
    LINK.captures_iter(html).map(read).filter(|path| path.starts_with(beginning)).collect()
}

/// The text of the element with this id, without its tags; `None` without such an element.
pub(crate) fn text_of(html: &str, id: &str) -> Option<String> {
    let (_, rest) = html.split_once(&format!(" id=\"{id}\""))?;
    let (_, rest) = rest.split_once('>')?;
    Some(unescaped(rest.split("</").next().unwrap_or_default().trim()))
}

/// What somebody would fill in where a field must not stay empty: something else for each `turn`.
pub(crate) fn sample(field: &ShownField, turn: usize) -> String {
    match field.kind.as_str() {
        "email" => format!("grace{turn}@example.com"),
        "url" => format!("https://example.com/in{turn}"),
        "tel" => "+4915112345678".to_owned(),
        "number" => "1".to_owned(),
        "date" => "2030-01-31".to_owned(),
        "password" => CONSOLE_PASSWORD.to_owned(),
        _ if field.attributes.contains_key("data-uris") => format!("https://example.com/in{turn}"),
        _ => format!("sample{turn}"),
    }
}

/// Values that nobody should send, with what they are.
pub(crate) fn bad_values(field: &ShownField) -> Vec<(&'static str, String)> {
    let (long, wrong) = match field.kind.as_str() {
        "email" => (format!("{}@example.com", "a".repeat(9000)), "not an address"),
        "url" => (format!("https://example.com/{}", "a".repeat(9000)), "no-scheme"),
        "tel" => ("4".repeat(9000), "call me"),
        "number" => ("9".repeat(400), "twelve"),
        "date" => ("2030-01-31".repeat(900), "yesterday"),
        "textarea" => ("a".repeat(9000), "{ \u{7}"),
        _ => ("a".repeat(9000), " \u{7} "),
    };
    vec![
        ("empty", String::new()),
        ("too long", long),
        ("wrong", wrong.to_owned()),
        ("hostile", SCRIPT.to_owned()),
        ("with NUL", "a\0b".to_owned()),
    ]
}

/// What a browser would send, with `value` in the field at `index`.
pub(crate) fn filled_in(form: &ShownForm, index: usize, value: &str, turn: usize) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (at, field) in form.fields.iter().enumerate() {
        let is_ticked = |other: &ShownField| other.kind == "checkbox" && other.name == field.name && other.is_sent;
        let is_first = NEEDED.contains(&field.name.as_str())
            && field.kind == "checkbox"
            && !form.fields.iter().any(is_ticked)
            && !form.fields[..at].iter().any(|other| other.kind == "checkbox" && other.name == field.name);
        let is_blank = field.value.is_empty() && field.is_typed() && field.is_required();
        if at == index {
            fields.push((field.name.clone(), value.to_owned()));
        } else if field.is_sent || is_first {
            let shown = if is_blank { sample(field, turn) } else { field.value.clone() };
            fields.push((field.name.clone(), shown));
        }
    }
    fields
}

/// The fields of a form that is shown again and that do not hold what was sent. Passwords are not shown again.
pub(crate) fn lost(again: &ShownForm, sent: &[(String, String)]) -> Vec<String> {
    let plain = |text: &str| text.replace("\r\n", "\n").trim().to_owned();
    let typed = again.fields.iter().filter(|field| field.is_typed() && field.kind != "password");
    let is_lost = |field: &&ShownField| {
        let mut values = sent.iter().filter(|(name, _)| *name == field.name).map(|(_, value)| plain(value)).peekable();
        values.peek().is_some() && !values.any(|value| value == plain(&field.value))
    };
    let start = |text: &str| text.chars().take(40).collect::<String>();
    typed.filter(is_lost).map(|field| format!("{} is lost: {:?}", field.name, start(&field.value))).collect()
}
