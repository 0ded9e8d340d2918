//! The languages of the sign-in pages: built-in ones, and those with custom texts.

use crate::caller::{Caller, segment};
use crate::failure::Failure;
use claimsmith_api::custom_phrases::CustomPhrasesView;
use serde_json::Value;

/// Languages with built-in texts.
const BUILT_IN: [&str; 6] = ["en", "de", "fr", "es", "ja", "zh"];

/// A language.
pub(super) struct Language {
    pub(super) tag: String,
    /// Number of custom texts.
    pub(super) own: usize,
}

impl Language {
    /// All languages, sorted by tag.
    pub(super) async fn all(caller: &Caller) -> Result<Vec<Self>, Failure> {
        let custom: Vec<CustomPhrasesView> = caller.get("/api/custom-phrases").await?;
        let is_there = |tag: &str| custom.iter().any(|custom| custom.language_tag == tag);
        let built_in = BUILT_IN.into_iter().filter(|tag| !is_there(tag));
        let built_in = built_in.map(|tag| Self { tag: tag.to_owned(), own: 0 });
        let own = custom
            .iter()
            .map(|custom| Self { tag: custom.language_tag.clone(), own: texts(&custom.translation).len() });
        let mut all: Vec<_> = built_in.chain(own).collect();
        all.sort_by(|one, other| one.tag.cmp(&other.tag));
        Ok(all)
    }

    pub(super) fn page(&self) -> String {
        page_of(&self.tag)
    }

    pub(super) fn is_built_in(&self) -> bool {
        is_built_in(&self.tag)
    }
}

/// Whether a language has built-in texts.
pub(super) fn is_built_in(tag: &str) -> bool {
    BUILT_IN.iter().any(|known| known.eq_ignore_ascii_case(tag))
}

/// The texts of a tree, with their dotted names.
pub(super) fn texts(tree: &Value) -> Vec<(String, &str)> {
    let Some(members) = tree.as_object() else { return Vec::new() };
    let mut all = Vec::new();
    for (name, value) in members {
        match value.as_str() {
            Some(text) => all.push((name.clone(), text)),
            None => all.extend(texts(value).into_iter().map(|(rest, text)| (format!("{name}.{rest}"), text))),
        }
    }
    all
}

/// The API path of the custom texts of a language.
pub(super) fn path_of(language: &str) -> String {
    format!("/api/custom-phrases/{}", segment(language))
}

pub(super) fn page_of(language: &str) -> String {
    format!("/console/sign-in-experience/phrases/{}", segment(language))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_named_by_the_way_to_them() {
        let tree = json!({ "sign_in": { "title": "Moin!", "more": { "a": "A" } }, "none": {} });
        let expected = [("sign_in.title".to_owned(), "Moin!"), ("sign_in.more.a".to_owned(), "A")];
        assert_eq!(texts(&tree), expected);
    }
}
