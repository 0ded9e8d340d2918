//! `PUT /api/experience`, `PUT …/interaction-event` and `GET …/interaction`.

use crate::domain::id::UserId;
use crate::domain::interaction::{Identifier, InteractionEvent, Progress, Verification};
use crate::domain::mfa::FactorType;
use crate::domain::staged_factors::{MfaChoice, StagedFactor, StagedMfa};
use crate::http::error::ApiError;
use crate::http::extract::interaction::InProgress;
use crate::http::extract::json::DeclaredJson;
use crate::interaction::start;
use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

/// What it is about.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begin {
    interaction_event: InteractionEvent,
}

/// What was done so far, without a secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    interaction_event: InteractionEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    profile: ShownProfile,
    #[serde(skip_serializing_if = "ShownMfa::is_empty")]
    mfa: ShownMfa,
    verification_records: Vec<Record>,
}

/// What was said about second factors.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownMfa {
    #[serde(skip_serializing_if = "Option::is_none")]
    mfa_enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mfa_skipped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totp: Option<ShownFactor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup_code: Option<ShownFactor>,
}

/// A second factor that was set up.
#[derive(PartialEq, Serialize)]
struct ShownFactor {
    r#type: FactorType,
}

impl ShownMfa {
    fn new(staged: &StagedMfa) -> Self {
        let said = |choice| (staged.choice == Some(choice)).then_some(true);
        let shown = |factor: &Option<StagedFactor>, kind| factor.is_some().then_some(ShownFactor { r#type: kind });
        Self {
            mfa_enabled: said(MfaChoice::Enabled),
            mfa_skipped: said(MfaChoice::Skipped),
            totp: shown(&staged.totp, FactorType::Totp),
            backup_code: shown(&staged.backup_codes, FactorType::BackupCode),
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What is staged.
#[derive(Serialize)]
struct ShownProfile {
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    submitted: bool,
}

/// A verification.
#[derive(Serialize)]
struct Record {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Identifier>,
    #[serde(rename = "userId", skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    verified: bool,
}

impl Shown {
    fn new(interaction_event: InteractionEvent, progress: Progress) -> Self {
        let profile = ShownProfile { username: progress.profile.username, submitted: progress.authenticated };
        let mfa = ShownMfa::new(&progress.mfa);
        let verification_records = progress.verifications.into_iter().map(Record::from).collect();
        Self { interaction_event, user_id: progress.user_id, profile, mfa, verification_records }
    }
}

impl From<Verification> for Record {
    fn from(Verification { id, method }: Verification) -> Self {
        let (identifier, user_id) = (method.identifier().cloned(), method.holder().cloned());
        Self { id, kind: method.name(), identifier, user_id, verified: method.is_verified() }
    }
}

/// Begins the interaction, or begins it anew.
pub(super) async fn start(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Begin>,
) -> Result<StatusCode, ApiError> {
    start::start(&mut current, body.interaction_event).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Goes on as another event.
pub(super) async fn switch(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Begin>,
) -> Result<StatusCode, ApiError> {
    start::switch(&mut current, body.interaction_event).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows what was done so far.
pub(super) async fn show(InProgress(current): InProgress) -> Result<Json<Shown>, ApiError> {
    let event = current.event()?;
    Ok(Json(Shown::new(event, current.progress)))
}
