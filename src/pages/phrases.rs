//! The texts as they are shown: the server's own, overridden by the operator's, in the language that suits the visitor
//! best.

use super::texts;
use super::texts::tree;
use claimsmith_domain::documents::language::LanguageTag;
use claimsmith_domain::documents::sign_in_experience::LanguageInfo;
use claimsmith_domain::language;
use claimsmith_storage::sign_in::phrases;
use claimsmith_storage::{Result, Tx};
use serde_json::Value;

/// The languages that there are texts in: the server's own, and those that the operator added.
pub async fn languages(tx: &mut Tx) -> Result<Vec<LanguageTag>> {
    let added = phrases::languages(tx).await?;
    let tags = texts::languages().map(str::to_owned).chain(added);
    let mut there: Vec<LanguageTag> = Vec::new();
    for tag in tags.filter_map(|tag| LanguageTag::try_from(tag).ok()) {
        if !there.contains(&tag) {
            there.push(tag);
        }
    }
    Ok(there)
}

/// The language for a visitor: the first available one of those requested (`asked`) and those that the browser accepts.
pub fn choose(there: &[LanguageTag], info: &LanguageInfo, asked: Option<&str>, accepted: &str) -> LanguageTag {
    let mut wanted: Vec<&str> = asked.into_iter().flat_map(str::split_whitespace).collect();
    if info.auto_detect {
        wanted.extend(language::accepted(accepted));
    }
    wanted.push(info.fallback_language.as_str());
    language::choose(there, &wanted).cloned().unwrap_or_else(LanguageTag::english)
}

/// All texts in a language. Missing ones come from the more general language (`de` for `de-AT`), or English.
pub async fn in_language(tx: &mut Tx, tag: &LanguageTag) -> Result<Value> {
    let mut steps: Vec<&str> = vec![tag.as_str()];
    while let Some((general, _)) = steps.last().and_then(|tag| tag.rsplit_once('-')) {
        steps.push(general);
    }
    let english = LanguageTag::english();
    let own = steps.iter().find_map(|tag| texts::built_in(tag));
    if own.is_none() {
        steps.push(english.as_str());
    }
    let mut all = own.or_else(|| texts::built_in(english.as_str())).cloned().unwrap_or_default();
    for tag in steps.iter().rev() {
        if let Some(custom) = phrases::find(tx, tag).await? {
            tree::lay(&mut all, &custom.translation);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn who_asks_comes_before_the_browser_and_that_before_the_fallback() {
        let tag = |text: &str| LanguageTag::try_from(text.to_owned()).unwrap();
        let there = ["en", "de", "fr", "pt-BR"].map(tag);
        for (auto_detect, fallback, asked, accepted, chosen) in [
            (true, "en", Some("fr"), "de", "fr"),
            (true, "en", Some("nl fr-CA"), "de", "fr"),
            (true, "en", Some("nl"), "de-AT, fr", "de"),
            (false, "en", Some("fr"), "de", "fr"),
            (false, "pt-BR", None, "de", "pt-BR"),
            (true, "de", None, "", "de"),
            // Its texts were deleted.
            (true, "nl", None, "", "en"),
        ] {
            let info = LanguageInfo { auto_detect, fallback_language: tag(fallback) };
            assert_eq!(choose(&there, &info, asked, accepted).as_str(), chosen, "{asked:?} {accepted}");
        }
    }
}
