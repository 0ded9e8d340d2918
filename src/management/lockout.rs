//! Refuses, on request, a change of the sign-in settings or of a connector that leaves users without a way in, and names
//! the first ones. Check before the transaction of the change, since all users are read.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::connector::ConnectorType;
use claimsmith_domain::documents::message::MessageChannel;
use claimsmith_domain::documents::sign_in_experience::methods::Channel;
use claimsmith_domain::sign_in_experience::accepted_credentials::{AcceptedCredentials, ClosedCompany};
use claimsmith_domain::sign_in_experience::checks::SettingsContext;
use claimsmith_pages::phrases;
use claimsmith_services::messages;
use claimsmith_storage::connectors::Connector;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::locked_out::{self, LockedOutUser};
use claimsmith_storage::{Tx, connectors, settings};
use claimsmith_web::error::ApiError;
use serde::Deserialize;
use serde_json::json;

/// The number of users that a refusal names.
const NAMED: i64 = 5;

/// What a change must not do.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct LockoutQuery {
    /// Whether a change is refused by which users who can sign in now no longer could: 422
    /// `sign_in_experiences.users_locked_out`, whose `data` has their number (`count`) and the first five of them
    /// (`users`: `id`, `name`). Suspended users do not count. Administrators count also if they lose the console: where
    /// the settings do not apply, but enterprise connectors do. `false` when not given.
    #[serde(default)]
    #[param(required = false)]
    pub(crate) refuse_lockout: bool,
}

/// Refuses a change if users can sign in by `before`, but not by `after`.
pub(crate) async fn check(
    tx: &mut Tx,
    before: &AcceptedCredentials,
    after: &AcceptedCredentials,
) -> Result<(), ApiError> {
    if after.includes(before) {
        return Ok(());
    }
    let count = locked_out::count(tx, before, after).await?;
    if count == 0 {
        return Ok(());
    }
    let users = locked_out::list(tx, (before, after), NAMED).await?;
    let named = |user: LockedOutUser| {
        let name = user.label.filter(|label| !label.is_empty()).unwrap_or_else(|| user.id.to_string());
        json!({ "id": user.id, "name": name })
    };
    let users: Vec<_> = users.into_iter().map(named).collect();
    let who = if count == 1 { "1 user".to_owned() } else { format!("{count} users") };
    let message = format!("{who} could no longer sign in: none of their credentials would be accepted.");
    Err(ApiError::new(ApiCode::SignInExperiencesUsersLockedOut, message)
        .with_data(json!({ "count": count, "users": users })))
}

/// Refuses the deletion of a connector that users need.
pub(crate) async fn check_without(tx: &mut Tx, connector: &Connector, now: i64) -> Result<(), ApiError> {
    let experience = EXPERIENCE.find(tx).await?;
    let mut context = settings_context(tx, now).await?;
    let before = AcceptedCredentials::of(&experience, &context);
    let mut others = connectors::list(tx, None).await?;
    others.retain(|other| other.id != connector.id && other.kind == connector.kind);
    // A demo server sends what has no connector to its mailbox.
    let is_sent = !others.is_empty() || settings::demo(tx).await?.is_some();
    match connector.kind {
        ConnectorType::Email => context.email = is_sent,
        ConnectorType::Sms => context.phone = is_sent,
        ConnectorType::Social => context.social_targets = others.into_iter().map(|other| other.target).collect(),
    }
    let mut after = AcceptedCredentials::of(&experience, &context);
    // Settings may name codes that are no longer sent.
    after.codes.retain(|identifier| match connector.kind {
        ConnectorType::Email => context.email || identifier.channel() != Some(Channel::Email),
        ConnectorType::Sms => context.phone || identifier.channel() != Some(Channel::Phone),
        ConnectorType::Social => true,
    });
    check(tx, &before, &after).await
}

/// Refuses changes of enterprise connectors that close accounts that users need.
pub(crate) async fn check_closed(tx: &mut Tx, closed: Vec<ClosedCompany>, now: i64) -> Result<(), ApiError> {
    if closed.is_empty() {
        return Ok(());
    }
    let experience = EXPERIENCE.find(tx).await?;
    let before = AcceptedCredentials::of(&experience, &settings_context(tx, now).await?);
    let after = AcceptedCredentials { closed_companies: closed, ..before.clone() };
    check(tx, &before, &after).await
}

/// The objects that settings depend on.
pub(crate) async fn settings_context(tx: &mut Tx, now: i64) -> Result<SettingsContext, ApiError> {
    Ok(SettingsContext {
        now,
        email: messages::reaches_from(tx, MessageChannel::Email, None).await?,
        phone: messages::reaches_from(tx, MessageChannel::Sms, None).await?,
        languages: phrases::languages(tx).await?,
        social_targets: connectors::list(tx, None)
            .await?
            .into_iter()
            .filter(|connector| connector.kind == ConnectorType::Social)
            .map(|connector| connector.target)
            .collect(),
    })
}
