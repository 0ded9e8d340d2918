//! The language of messages to whoever is in an interaction: as the application and the browser ask for it.

use super::current::Current;
use super::refusal::Refusal;
use crate::domain::language::{self, BUILT_IN, LanguageTag};
use crate::domain::sign_in_experience::LanguageInfo;
use crate::storage::sign_in::phrases;

/// The first language that is asked for and that there are texts in, or else the one of the settings.
pub(super) async fn of_messages(current: &Current, info: &LanguageInfo) -> Result<LanguageTag, Refusal> {
    let added = phrases::languages(&mut current.app.db.read().await?).await?;
    let there = BUILT_IN.into_iter().map(str::to_owned).chain(added);
    let there: Vec<LanguageTag> = there.filter_map(|tag| LanguageTag::try_from(tag).ok()).collect();
    let asked = current.request.ui_locales.as_deref().unwrap_or_default();
    let mut wanted: Vec<&str> = asked.split_whitespace().collect();
    if info.auto_detect {
        wanted.extend(language::accepted(&current.browser.accept_language));
    }
    wanted.push(info.fallback_language.as_str());
    Ok(language::choose(&there, &wanted).cloned().unwrap_or_else(LanguageTag::english))
}
