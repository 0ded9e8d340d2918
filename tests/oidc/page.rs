//! What a browser reads in a page: its form, and the answer that a form carries to an application.

use claimsmith_test_support::Answer;
use regex::Regex;
use std::collections::BTreeMap;

/// The form of a page.
pub(crate) struct PageForm {
    pub action: String,
    /// The hidden fields.
    pub fields: BTreeMap<String, String>,
    /// The names of all fields and buttons.
    pub names: Vec<String>,
}

impl PageForm {
    /// The form of an HTML page, if it has one.
    pub(crate) fn of(answer: &Answer) -> Option<Self> {
        let html = html(answer)?;
        let action = Regex::new(r#"<form[^>]* method="post" action="([^"]*)""#).unwrap();
        let hidden = Regex::new(r#"<input type="hidden" name="([^"]*)" value="([^"]*)">"#).unwrap();
        let name = Regex::new(r#"<(?:input|button)[^>]* name="([^"]*)""#).unwrap();
        Some(Self {
            action: unescaped(&action.captures(html)?[1]),
            fields: hidden.captures_iter(html).map(|found| (unescaped(&found[1]), unescaped(&found[2]))).collect(),
            names: name.captures_iter(html).map(|found| found[1].to_owned()).collect(),
        })
    }

    /// Whether it has a field of this name.
    pub(crate) fn asks_for(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// What is sent when a person fills in these.
    pub(crate) fn filled_in(&self, fields: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut form: Vec<(String, String)> = self.fields.clone().into_iter().collect();
        form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        form
    }
}

/// The text of an answer that is a page.
pub(crate) fn html(answer: &Answer) -> Option<&str> {
    answer.header("content-type").filter(|kind| kind.starts_with("text/html"))?;
    answer.body.as_str()
}

fn unescaped(text: &str) -> String {
    let signs = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    signs.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign))
}
