//! What a page leads to on its own server. The tests of whole servers read pages by this file too.

use std::collections::BTreeSet;

/// The attributes that hold a path, with the method by which it is requested; forms say their own.
const ATTRIBUTES: [(&str, Option<&str>); 6] = [
    ("href", Some("GET")),
    ("src", Some("GET")),
    ("action", None),
    ("formaction", None),
    ("data-options", Some("POST")),
    ("data-captcha", Some("POST")),
];

/// A method and a path, with its query.
pub(crate) type Target = (String, String);

/// The targets of a page, with the paths in its hidden fields and in the queries of its links.
pub(crate) fn targets(html: &str) -> BTreeSet<Target> {
    let mut found = BTreeSet::new();
    let mut of_form = "GET";
    for tag in html.split('<').filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        if tag.starts_with("form") {
            of_form = if value(tag, "method").as_deref() == Some("post") { "POST" } else { "GET" };
        }
        for (attribute, method) in ATTRIBUTES {
            let path = value(tag, attribute).filter(|path| is_path(path));
            found.extend(path.map(|path| (method.unwrap_or(of_form).to_owned(), path)));
        }
        if tag.starts_with("input") && tag.contains("type=\"hidden\"") {
            let path = value(tag, "value").filter(|path| is_path(path));
            found.extend(path.map(|path| ("GET".to_owned(), path)));
        }
    }
    let queries = found.iter().filter_map(|(_, path)| path.split_once('?'));
    let parameters = queries.flat_map(|(_, query)| form_urlencoded::parse(query.as_bytes()).into_owned());
    let named: Vec<_> = parameters.filter(|(_, value)| is_path(value)).collect();
    found.extend(named.into_iter().map(|(_, path)| ("GET".to_owned(), path)));
    found
}

/// The value of an attribute, without the escapes of HTML and without a fragment.
fn value(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let escaped = rest.split_once('"')?.0;
    let characters = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    let text = characters.iter().fold(escaped.to_owned(), |text, (escape, plain)| text.replace(escape, plain));
    Some(text.split('#').next().unwrap_or_default().to_owned())
}

/// Whether it leads to this server.
fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//")
}
