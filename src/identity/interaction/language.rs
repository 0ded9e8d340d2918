//! The language of messages, as requested by the application and the browser.

use super::current::CurrentInteraction;
use super::refusal::InteractionRefusal;
use claimsmith_domain::documents::language::{BUILT_IN, LanguageTag};
use claimsmith_domain::documents::sign_in_experience::LanguageInfo;
use claimsmith_domain::language;
use claimsmith_services::app::App;
use claimsmith_storage as storage;
use claimsmith_storage::sign_in::phrases;

/// The language of messages in an interaction.
pub(super) async fn of_messages(
    current: &CurrentInteraction,
    info: &LanguageInfo,
) -> Result<LanguageTag, InteractionRefusal> {
    let asked = current.request.ui_locales.as_deref().unwrap_or_default();
    Ok(choose(&current.app, asked, &current.browser.accept_language, info).await?)
}

/// The first requested language with translations, or else the one of the settings.
pub(crate) async fn choose(
    app: &App,
    asked: &str,
    accept_language: &str,
    info: &LanguageInfo,
) -> storage::Result<LanguageTag> {
    let added = phrases::languages(&mut app.db.read().await?).await?;
    let there = BUILT_IN.into_iter().map(str::to_owned).chain(added);
    let there: Vec<LanguageTag> = there.filter_map(|tag| LanguageTag::try_from(tag).ok()).collect();
    let mut wanted: Vec<&str> = asked.split_whitespace().collect();
    if info.auto_detect {
        wanted.extend(language::accepted(accept_language));
    }
    wanted.push(info.fallback_language.as_str());
    Ok(language::choose(&there, &wanted).cloned().unwrap_or_else(LanguageTag::english))
}
