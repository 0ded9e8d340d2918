//! Whose account a request of the Account API is about: the user of its access token, which is opaque, has `openid`,
//! and came from a sign-in.

use super::interaction::accept_language;
use super::management::{bearer_token, route};
use crate::error::ApiError;
use axum::extract::FromRequestParts;
use axum::http::HeaderName;
use axum::http::request::Parts;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::account_center::{AccountCenter, Field};
use claimsmith_domain::id::VerificationRecordId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_domain::scope;
use claimsmith_domain::user_scope::OPENID;
use claimsmith_identity::interaction::rows::{self, RowCaller};
use claimsmith_identity::own_account::owner::{ByToken, Owner, OwnerAccess};
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::settings::check_shown;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, access::ActiveToken};
use claimsmith_storage::sessions::grants;
use claimsmith_storage::sign_in::settings::ACCOUNT_CENTER;
use std::ops::Deref;

/// The header that names a verification record.
const VERIFICATION_ID: HeaderName = HeaderName::from_static("logto-verification-id");
/// The most characters of an id.
const MAX_ID_CHARS: usize = 128;

/// A person who looks at their own account.
pub struct OwnAccount {
    /// Who, and what they may do.
    pub owner: Owner,
    /// Which fields the settings let users see and change.
    pub settings: AccountCenter,
    scope: String,
    is_third_party: bool,
}

/// A person who changes their own account, by an application of the operator's own.
pub struct OwnChange(OwnAccount);

impl Deref for OwnChange {
    type Target = OwnAccount;

    fn deref(&self) -> &OwnAccount {
        &self.0
    }
}

impl OwnAccount {
    /// Whether the token has this scope.
    #[must_use]
    pub fn has(&self, scope: &str) -> bool {
        scope::contains(&self.scope, scope)
    }

    /// Refuses a token without this scope.
    pub fn demand(&self, scope: &str) -> Result<(), ApiError> {
        if self.has(scope) {
            return Ok(());
        }
        let message = format!("The access token lacks the scope {scope:?}.");
        Err(ApiError::insufficient_scope(&message))
    }

    /// Refuses a change of a field that users cannot edit, and then a token without this scope.
    pub fn demand_edited(&self, scope: &str, field: Field) -> Result<(), ApiError> {
        if !self.settings.fields.edits(field) {
            return Err(OwnAccountRefusal::FieldReadOnly.into());
        }
        self.demand(scope)
    }

    /// Whether the token has this scope and the settings show this field.
    #[must_use]
    pub fn shows(&self, scope: &str, field: Field) -> bool {
        self.has(scope) && self.settings.fields.shows(field)
    }

    /// Refuses to show a field that is off, or needs a scope that the token lacks.
    pub fn demand_field(&self, scope: &str, field: Field) -> Result<(), ApiError> {
        self.demand(scope)?;
        Ok(check_shown(&self.settings, field)?)
    }
}

impl FromRequestParts<App> for OwnAccount {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let invalid = || ApiError::unauthorized(ApiCode::AuthUnauthorized, "The access token is not valid here.");
        let token = bearer_token(parts)?;
        let is_opaque = !token.contains('.');
        let now = app.clock.now_ms();
        let mut tx = app.db.read().await?;
        let snapshot = app.authorizations.current(&mut tx, now).await?;
        let live = tokens::access::check(&mut tx, &snapshot, app.issuer.name(), token, now).await?;
        let ActiveToken { issuance, client, user, .. } = live.ok_or_else(invalid)?;
        if issuance.exchanged {
            return Err(ApiError::forbidden("The Account API does not accept tokens from a token exchange."));
        }
        // A JWT is for the resource that its audience names.
        let user = user.filter(|_| is_opaque).ok_or_else(invalid)?;
        if !scope::contains(&issuance.scope, OPENID) {
            return Err(ApiError::forbidden("The access token lacks the scope \"openid\"."));
        }
        let settings = ACCOUNT_CENTER.find(&mut tx).await?;
        if !settings.enabled {
            let message = "The settings of this server do not enable the Account API.";
            return Err(ApiError::new(ApiCode::AccountCenterNotEnabled, message));
        }
        let session_id = match &issuance.grant_id {
            Some(id) => grants::find(&mut tx, id).await?.and_then(|grant| grant.session_id),
            None => None,
        };
        drop(tx);
        let by = ByToken {
            jti: issuance.jti,
            application_id: issuance.application_id,
            grant_id: issuance.grant_id,
            session_id,
            record_id: record_id(parts),
        };
        let known = parts.extensions.get::<RequestOrigin>().cloned().unwrap_or_default();
        let origin = RequestOrigin { route: Some(route(parts).await), ..known };
        let accept_language = accept_language(&parts.headers);
        let owner = Owner { app: app.clone(), user_id: user.id, way: OwnerAccess::Token(by), origin, accept_language };
        Ok(Self { owner, settings, scope: issuance.scope, is_third_party: client.application.is_third_party })
    }
}

impl FromRequestParts<App> for OwnChange {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let account = OwnAccount::from_request_parts(parts, app).await?;
        if account.is_third_party {
            let message = "Third-party applications cannot change accounts.";
            return Err(ApiError::new(ApiCode::AuthThirdPartyApplicationForbidden, message));
        }
        // Refused before the body is read, which costs more than the rest.
        let caller = RowCaller { user_id: Some(&account.owner.user_id), ..RowCaller::default() };
        rows::check(app, RowKind::OwnChanges, &account.owner.origin, caller)?;
        Ok(Self(account))
    }
}

fn record_id(parts: &Parts) -> Option<VerificationRecordId> {
    let text = parts.headers.get(VERIFICATION_ID)?.to_str().ok()?;
    Some(text).filter(|text| !text.is_empty() && text.len() <= MAX_ID_CHARS).map(Into::into)
}
