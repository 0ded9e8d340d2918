//! `{{code}}` and `{{application.name}}` in templates. A value cannot change the text around it: it is escaped in HTML,
//! has no line breaks, and is short.

use serde_json::Value;

/// The most characters of a value.
const MAX_VALUE_CHARS: usize = 256;
/// The most characters of a link.
const MAX_LINK_CHARS: usize = 4096;

/// Where a value is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputContext {
    /// A plain text, or a subject.
    Plain,
    /// The text of an element of HTML, or an attribute in quotes.
    Html,
}

/// The template with its values; a placeholder without a value becomes empty.
pub(super) fn substitute(template: &str, values: &Value, place: OutputContext) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            text.push_str("{{");
            rest = after;
            continue;
        };
        text.push_str(&value(values, name.trim(), place));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The value of a path such as `application.name`.
fn value(values: &Value, path: &str, place: OutputContext) -> String {
    let found = path.split('.').try_fold(values, |value, name| value.get(name));
    let text = match found {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(flag)) => flag.to_string(),
        _ => return String::new(),
    };
    let most = if path == "link" { MAX_LINK_CHARS } else { MAX_VALUE_CHARS };
    let clean = text.chars().filter(|letter| !letter.is_control() && !matches!(letter, '\u{2028}' | '\u{2029}'));
    let clean = clean.take(most);
    match place {
        OutputContext::Plain => clean.collect(),
        OutputContext::Html => clean.fold(String::new(), |mut escaped, letter| {
            match letter {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                '"' => escaped.push_str("&quot;"),
                '\'' => escaped.push_str("&#39;"),
                letter => escaped.push(letter),
            }
            escaped
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_stand_where_the_template_has_their_names() {
        let values = json!({ "code": "123456", "application": { "name": "Shop & <b>", "count": 3 }, "list": [1] });
        for (template, plain, html) in [
            ("{{code}}", "123456", "123456"),
            ("a {{ code }} b", "a 123456 b", "a 123456 b"),
            ("{{application.name}}", "Shop & <b>", "Shop &amp; &lt;b&gt;"),
            ("{{application.count}}{{nothing}}{{application}}{{list}}{{code.x}}", "3", "3"),
            ("{{code", "{{code", "{{code"),
            ("}}{{code}}{{", "}}123456{{", "}}123456{{"),
            ("{{{code}}}", "}", "}"),
            ("{{}}é", "é", "é"),
            ("", "", ""),
        ] {
            assert_eq!(substitute(template, &values, OutputContext::Plain), plain, "{template}");
            assert_eq!(substitute(template, &values, OutputContext::Html), html, "{template}");
        }
    }

    #[test]
    fn a_value_changes_nothing_around_it() {
        let values = json!({ "user": { "name": "{{code}}\r\nBcc: eve@example.com\u{2028}\"'" }, "code": "123456" });
        assert_eq!(substitute("{{user.name}}", &values, OutputContext::Plain), "{{code}}Bcc: eve@example.com\"'");
        assert_eq!(
            substitute("{{user.name}}", &values, OutputContext::Html),
            "{{code}}Bcc: eve@example.com&quot;&#39;"
        );
        let long = json!({ "user": { "name": "x".repeat(10_000) }, "link": "y".repeat(10_000) });
        assert_eq!(substitute("{{user.name}}", &long, OutputContext::Plain).len(), MAX_VALUE_CHARS);
        assert_eq!(substitute("{{link}}", &long, OutputContext::Plain).len(), MAX_LINK_CHARS);
    }
}
