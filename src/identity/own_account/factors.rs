//! Second factors of one's own account.

use super::owner::Owner;
use super::proof;
use super::refusal::OwnAccountRefusal;
use super::settings::{check_edited, of_sign_in};
use crate::accounts::{
    self, BackupCodes, NewFactor, add_factor, matching_step, mfa, refuse_last_sign_in_method, remove_factor,
    rename_factor, replace_factor, sign_in_means, tell_update,
};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::{AuditKey, AuditOperation};
use claimsmith_domain::documents::account_center::Field;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::documents::user_settings::{SettingsChange, UserSettings};
use claimsmith_domain::id::FactorId;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::users;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::passkeys::Passkey;
use serde_json::json;

/// Milliseconds of a time step (RFC 6238).
const STEP_MS: i64 = 30_000;

/// A factor as its user sees it.
pub struct OwnFactor {
    /// Its id.
    pub id: FactorId,
    /// Its type.
    pub kind: FactorType,
    /// The user's name for it.
    pub name: Option<String>,
    /// The user agent that registered it, if it is a passkey.
    pub agent: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// The number of unused backup codes.
    pub remaining: Option<usize>,
    /// Unix milliseconds, if known.
    pub last_used_at: Option<i64>,
}

/// Whether a new factor replaces an existing one of its type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FactorPlacement {
    /// It is refused if there is one.
    Beside,
    /// It replaces it.
    Instead,
}

/// Lists the passkeys, then the other factors; each oldest first.
pub async fn list(owner: &Owner) -> Result<Vec<OwnFactor>, OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    let passkeys = users::passkeys::of_user(&mut tx, &owner.user_id).await?.into_iter().map(OwnFactor::from);
    let factors = users::mfa::list(&mut tx, &owner.user_id).await?;
    let factors = factors.into_iter().map(|factor| view(owner, factor)).collect::<Result<Vec<_>, _>>()?;
    Ok(passkeys.chain(factors).collect())
}

fn view(owner: &Owner, factor: MfaFactor) -> Result<OwnFactor, OwnAccountRefusal> {
    let is_codes = factor.kind == FactorType::BackupCode;
    let remaining = if is_codes { Some(BackupCodes::read(&owner.app.cipher, &factor)?.remaining()) } else { None };
    Ok(OwnFactor {
        id: factor.id,
        kind: factor.kind,
        name: factor.name,
        agent: None,
        created_at: factor.created_at,
        remaining,
        last_used_at: factor.used_step.map(|step| step.saturating_mul(STEP_MS)),
    })
}

impl From<Passkey> for OwnFactor {
    fn from(passkey: Passkey) -> Self {
        Self {
            id: passkey.id,
            kind: FactorType::WebAuthn,
            name: passkey.name,
            agent: passkey.agent,
            created_at: passkey.created_at,
            remaining: None,
            last_used_at: passkey.last_used_at,
        }
    }
}

/// Generates a secret for an authenticator app, which is not stored.
pub fn new_secret() -> Result<String, OwnAccountRefusal> {
    Ok(mfa::new_totp_secret()?)
}

/// Adds an authenticator app with this secret. `code`: a one-time password as proof that the app has the secret.
pub async fn add_totp(
    owner: &Owner,
    secret: String,
    code: Option<&str>,
    placement: FactorPlacement,
) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let new = NewFactor::totp(Some(secret.clone()))?;
        let step = match code {
            Some(code) => Some(matching_step(&secret, code, owner.now()).ok_or(InteractionRefusal::InvalidTotp)?),
            None => None,
        };
        put(owner, &new, step, placement).await
    };
    owner.note(AuditKey::of_account(AuditOperation::UserAddMfaFactor), outcome.await)
}

/// Adds these backup codes, or generated ones; returns them.
pub async fn add_backup_codes(
    owner: &Owner,
    codes: Option<Vec<String>>,
    placement: FactorPlacement,
) -> Result<Vec<String>, OwnAccountRefusal> {
    let outcome = async {
        let new = NewFactor::backup_codes(codes)?;
        put(owner, &new, None, placement).await?;
        match new {
            NewFactor::BackupCodes(codes) => Ok(codes),
            NewFactor::Totp(_) => Ok(Vec::new()),
        }
    };
    owner.note(AuditKey::of_account(AuditOperation::UserAddMfaFactor), outcome.await)
}

/// Generates backup codes, which are not stored.
pub fn new_backup_codes() -> Result<Vec<String>, OwnAccountRefusal> {
    Ok(accounts::new_backup_codes()?)
}

async fn put(
    owner: &Owner,
    new: &NewFactor,
    step: Option<i64>,
    placement: FactorPlacement,
) -> Result<(), OwnAccountRefusal> {
    let mut work = begin(owner).await?;
    if !of_sign_in(owner, &mut work).await?.mfa.factors.contains(&new.kind().setting()) {
        return Err(InteractionRefusal::FactorDisabled.into());
    }
    let cipher = &owner.app.cipher;
    match placement {
        FactorPlacement::Beside => add_factor(&mut work, cipher, &owner.user_id, new, step).await?,
        FactorPlacement::Instead => replace_factor(&mut work, cipher, &owner.user_id, new, step).await?,
    };
    finish(owner, work).await
}

/// Renames a factor.
pub async fn rename(owner: &Owner, id: &FactorId, name: &str) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let mut work = begin(owner).await?;
        rename_factor(&mut work, &owner.user_id, id, name).await?;
        finish(owner, work).await
    };
    owner.note(AuditKey::of_account(AuditOperation::UserRenameMfaFactor), outcome.await)
}

/// Removes a factor.
pub async fn remove(owner: &Owner, id: &FactorId) -> Result<(), OwnAccountRefusal> {
    let outcome = async {
        let mut work = begin(owner).await?;
        let user = owner.user(&mut work).await?;
        let settings = of_sign_in(owner, &mut work).await?;
        let before = sign_in_means(&mut work, &user, &settings).await?;
        if !remove_factor(&mut work, &owner.user_id, id).await? {
            return Err(OwnAccountRefusal::UnknownFactor);
        }
        // A passkey may be the last sign-in method.
        refuse_last_sign_in_method(before, sign_in_means(&mut work, &user, &settings).await?, &settings)?;
        finish(owner, work).await
    };
    owner.note(AuditKey::of_account(AuditOperation::UserDeleteMfaFactor), outcome.await)
}

/// Changes the user's settings of second factors; returns all of them.
pub async fn choose(owner: &Owner, change: &SettingsChange) -> Result<UserSettings, OwnAccountRefusal> {
    let outcome = async {
        let mut work = begin(owner).await?;
        let change = |settings: &mut UserSettings| settings.apply(change);
        let settings = accounts::change_settings(&mut work, &owner.user_id, change).await?;
        work.audit(AuditKey::AccountUserChangeSettings, json!({ "userId": owner.user_id })).await?;
        tell_update(&mut work, &owner.user_id, 200).await?;
        work.commit().await?;
        Ok(settings)
    };
    owner.note(AuditKey::AccountUserChangeSettings, outcome.await)
}

/// The user's settings of second factors.
pub async fn chosen(owner: &Owner) -> Result<UserSettings, OwnAccountRefusal> {
    let found = users::settings::find(&mut owner.read().await?, &owner.user_id).await?;
    Ok(found.unwrap_or_default())
}

async fn begin(owner: &Owner) -> Result<UnitOfWork, OwnAccountRefusal> {
    let (mut work, _) = owner.begin().await?;
    check_edited(&mut work, &[Field::Mfa]).await?;
    proof::check(owner, &mut work).await?;
    Ok(work)
}

async fn finish(owner: &Owner, mut work: UnitOfWork) -> Result<(), OwnAccountRefusal> {
    tell_update(&mut work, &owner.user_id, 204).await?;
    Ok(work.commit().await?)
}
