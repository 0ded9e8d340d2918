//! `PUT /api/experience`, `PUT …/interaction-event` and `GET …/interaction`.

use axum::Json;
use axum::http::StatusCode;
use claimsmith_domain::documents::message::TemplateType;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::one_time_token::Context;
use claimsmith_domain::documents::text::Text;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::Identifier;
use claimsmith_domain::interaction::{InteractionEvent, Method, Progress, Verification};
use claimsmith_domain::staged_factors::{MfaChoice, StagedFactor, StagedMfa};
use claimsmith_domain::upstream::account::ExternalAccount;
use claimsmith_identity::interaction::trusted_device::Offer;
use claimsmith_identity::interaction::{start, trusted_device};
use claimsmith_json::present;
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::interaction::InProgress;
use claimsmith_web::extract::json::DeclaredJson;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The event of a new interaction.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begin {
    #[schema(value_type = String)]
    interaction_event: InteractionEvent,
    /// The response of the captcha provider.
    #[serde(default, deserialize_with = "present")]
    #[schema(required = false)]
    captcha_token: Option<Text<0, 8192>>,
}

/// The new event.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Switch {
    #[schema(value_type = String)]
    interaction_event: InteractionEvent,
}

/// The progress of the interaction, without secrets.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InteractionView {
    interaction_event: InteractionEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    profile: ShownProfile,
    #[serde(skip_serializing_if = "ShownMfa::is_empty")]
    mfa: ShownMfa,
    captcha: ShownCaptcha,
    verification_records: Vec<VerificationRecordView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted_device: Option<ShownOffer>,
}

/// Whether the browser can be trusted.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownOffer {
    can_create: bool,
    duration_days: u32,
}

/// Whether the captcha was solved or skipped.
#[derive(Serialize)]
struct ShownCaptcha {
    verified: bool,
    skipped: bool,
}

/// The user's decisions about second factors.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownMfa {
    #[serde(skip_serializing_if = "Option::is_none")]
    mfa_enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mfa_skipped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passkey_skipped: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    web_authn: Vec<ShownFactor>,
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
            passkey_skipped: staged.passkey_skipped.then_some(true),
            web_authn: staged.passkeys.iter().map(|_| ShownFactor { r#type: FactorType::WebAuthn }).collect(),
            totp: shown(&staged.totp, FactorType::Totp),
            backup_code: shown(&staged.backup_codes, FactorType::BackupCode),
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The staged profile.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownProfile {
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primary_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primary_phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    profile: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    custom_data: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    social_identity: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enterprise_sso_identity: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    submitted: bool,
}

/// A verification.
#[derive(Serialize)]
struct VerificationRecordView {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Identifier>,
    #[serde(rename = "userId", skip_serializing_if = "Option::is_none")]
    user_id: Option<UserId>,
    #[serde(rename = "templateType", skip_serializing_if = "Option::is_none")]
    template_type: Option<TemplateType>,
    #[serde(rename = "connectorId", skip_serializing_if = "Option::is_none")]
    connector_id: Option<String>,
    #[serde(rename = "socialUserInfo", skip_serializing_if = "Option::is_none")]
    social_user_info: Option<ExternalAccount>,
    #[serde(rename = "enterpriseSsoUserInfo", skip_serializing_if = "Option::is_none")]
    enterprise_sso_user_info: Option<ExternalAccount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    #[serde(rename = "oneTimeTokenContext", skip_serializing_if = "Option::is_none")]
    one_time_token_context: Option<Context>,
    verified: bool,
}

impl InteractionView {
    fn new(interaction_event: InteractionEvent, progress: Progress, offer: Option<Offer>) -> Self {
        let skipped = progress.skips_captcha();
        let captcha = ShownCaptcha { verified: progress.captcha.verified, skipped };
        let staged = progress.profile;
        let profile = ShownProfile {
            username: staged.username,
            primary_email: staged.primary_email,
            primary_phone: staged.primary_phone,
            name: staged.name,
            avatar: staged.avatar,
            profile: staged.profile,
            custom_data: staged.custom_data,
            social_identity: staged.social.map(|one| json!({ "target": one.realm, "userInfo": one.account })),
            enterprise_sso_identity: staged.enterprise.map(|one| {
                let id = one.account.as_ref().map(|account| &account.id);
                json!({
                    "identityId": id, "ssoConnectorId": one.connector_id, "issuer": one.realm, "detail": one.account,
                })
            }),
            submitted: progress.authenticated || progress.extra_profile_submitted,
        };
        let mfa = ShownMfa::new(&progress.mfa);
        let verification_records = progress.verifications.into_iter().map(VerificationRecordView::from).collect();
        let shown = |offer: Offer| ShownOffer { can_create: offer.can_create, duration_days: offer.days };
        let trusted_device = offer.map(shown);
        Self {
            interaction_event,
            user_id: progress.user_id,
            profile,
            mfa,
            captcha,
            verification_records,
            trusted_device,
        }
    }
}

impl From<Verification> for VerificationRecordView {
    fn from(Verification { id, method }: Verification) -> Self {
        let (identifier, user_id) = (method.identifier().cloned(), method.holder().cloned());
        let template_type = method.sent_code().map(|sent| sent.template_type);
        let federated = method.federated().map(|(kind, federated)| (kind, federated.clone()));
        let connector_id = federated.as_ref().map(|(_, federated)| federated.connector_id.clone());
        let (mut social_user_info, mut enterprise_sso_user_info, mut issuer) = (None, None, None);
        match federated {
            Some((ConnectorKind::Social, federated)) => social_user_info = federated.account,
            Some((ConnectorKind::Enterprise, federated)) => {
                issuer = federated.account.is_some().then_some(federated.realm);
                enterprise_sso_user_info = federated.account;
            }
            None => {}
        }
        let one_time_token_context = match &method {
            Method::OneTimeToken { context, .. } => Some(context.clone()),
            _ => None,
        };
        Self {
            id,
            kind: method.name(),
            identifier,
            user_id,
            template_type,
            one_time_token_context,
            connector_id,
            social_user_info,
            enterprise_sso_user_info,
            issuer,
            verified: method.is_verified(),
        }
    }
}

/// Begins the interaction, or restarts it.
pub(super) async fn start(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Begin>,
) -> Result<StatusCode, ApiError> {
    start::start(&mut current, body.interaction_event, body.captcha_token.as_ref().map(Text::as_str)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Switches to another event.
pub(super) async fn switch(
    InProgress(mut current): InProgress,
    DeclaredJson(body): DeclaredJson<Switch>,
) -> Result<StatusCode, ApiError> {
    start::switch(&mut current, body.interaction_event).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows the progress.
pub(super) async fn show(InProgress(current): InProgress) -> Result<Json<InteractionView>, ApiError> {
    let event = current.event()?;
    let offer = trusted_device::offer(&current).await?;
    Ok(Json(InteractionView::new(event, current.progress, offer)))
}
