//! Confirmation of an administrator's identity during a session of the console ("sudo"): as strongly as they sign in,
//! with the password and a second factor if they have one, or with a passkey that verifies its user. Failures count
//! towards the same lockouts as at the account page and at sign-in.

use super::guesses;
use super::owner::Owner;
use super::proof::{self, identifier_of};
use super::refusal::OwnAccountRefusal;
use crate::accounts::{self, BackupCodes, mfa};
use crate::interaction::attempts::{self, SignInAttempt};
use crate::interaction::passkeys::{refused, use_passkey};
use crate::interaction::refusal::InteractionRefusal;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_services::passkeys::Ceremony;
use claimsmith_storage::Tx;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::{self, User, passkeys};
use serde_json::{Map, Value};

/// The digits of a one-time password; a backup code is longer.
const TOTP_DIGITS: usize = 6;

/// How a user can confirm their identity.
#[derive(Debug, Default)]
pub struct ConfirmationMethods {
    /// With their password.
    pub password: bool,
    /// With a code beside the password: of an authenticator app, or a backup code.
    pub code: bool,
    /// With one of these passkeys.
    pub passkey: Option<Ceremony>,
}

/// What a user entered.
pub enum ConfirmationAnswer<'a> {
    /// The password, and the code if they have a second factor.
    Password {
        /// The password.
        password: &'a str,
        /// The code of an authenticator app, or a backup code; ignored if they have neither.
        code: &'a str,
    },
    /// The response of a passkey.
    Passkey {
        /// The response of the browser.
        answer: Map<String, Value>,
        /// The state of its [`Ceremony`].
        challenge: &'a Value,
    },
}

/// The credentials of a user.
struct Held {
    user: User,
    factors: Vec<MfaFactor>,
    credential_ids: Vec<String>,
}

impl Held {
    async fn load(owner: &Owner, tx: &mut Tx) -> Result<Self, OwnAccountRefusal> {
        let user = owner.user(tx).await?;
        let mut factors = Vec::new();
        for factor in users::mfa::list(tx, &user.id).await? {
            let is_usable = match factor.kind {
                FactorType::Totp => true,
                FactorType::BackupCode => BackupCodes::read(&owner.app.cipher, &factor)?.remaining() > 0,
                _ => false,
            };
            if is_usable {
                factors.push(factor);
            }
        }
        let known = passkeys::of_user(tx, &user.id).await?;
        let known = known.into_iter().map(|passkey| passkey.credential_id);
        let credential_ids = known.filter(|_| owner.app.passkeys.are_possible()).collect();
        Ok(Self { user, factors, credential_ids })
    }

    /// Whether a password, perhaps with a code, is as strong as their sign-in: not if passkeys are their only second
    /// factor.
    fn takes_password(&self) -> bool {
        self.user.password_digest.is_some() && (self.credential_ids.is_empty() || !self.factors.is_empty())
    }

    fn factor(&self, kind: FactorType) -> Option<&MfaFactor> {
        self.factors.iter().find(|factor| factor.kind == kind)
    }
}

/// How this user can confirm their identity now. Without any method they sign in again.
pub async fn methods(owner: &Owner) -> Result<ConfirmationMethods, OwnAccountRefusal> {
    let held = Held::load(owner, &mut owner.read().await?).await?;
    let passkey = match &*held.credential_ids {
        [] => None,
        known => Some(owner.app.passkeys.ask_for(known).map_err(refused)?),
    };
    Ok(ConfirmationMethods { password: held.takes_password(), code: !held.factors.is_empty(), passkey })
}

/// Verifies what they entered.
pub async fn confirm(owner: &Owner, answer: ConfirmationAnswer<'_>) -> Result<(), OwnAccountRefusal> {
    match answer {
        ConfirmationAnswer::Password { password, code } => by_password(owner, password, code).await,
        ConfirmationAnswer::Passkey { answer, challenge } => {
            let outcome = by_passkey(owner, answer, challenge).await;
            owner.note(AuditKey::ConsoleConfirm, outcome)
        }
    }
}

async fn by_password(owner: &Owner, password: &str, code: &str) -> Result<(), OwnAccountRefusal> {
    let held = Held::load(owner, &mut owner.read().await?).await?;
    if !held.takes_password() {
        return owner.note(AuditKey::ConsoleConfirm, Err(InteractionRefusal::MethodDisabled.into()));
    }
    // Before the password is verified, so that the response does not reveal whether it is right.
    let code: String = code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
    if code.is_empty() && !held.factors.is_empty() {
        return owner.note(AuditKey::ConsoleConfirm, Err(InteractionRefusal::InvalidTotp.into()));
    }
    proof::prove_password(owner, password).await?;
    if held.factors.is_empty() {
        return Ok(());
    }
    let outcome = by_code(owner, &held, &code).await;
    owner.note(AuditKey::ConsoleConfirm, outcome)
}

/// Verifies a one-time password or a backup code, by its form.
async fn by_code(owner: &Owner, held: &Held, code: &str) -> Result<(), OwnAccountRefusal> {
    let is_totp = code.len() == TOTP_DIGITS && code.bytes().all(|digit| digit.is_ascii_digit());
    let factor = match (held.factor(FactorType::Totp), held.factor(FactorType::BackupCode)) {
        (Some(totp), None) => totp,
        (Some(totp), Some(_)) if is_totp => totp,
        (_, Some(backup)) => backup,
        (None, None) => return Err(InteractionRefusal::InvalidTotp.into()),
    };
    let attempt = count(owner, factor.kind).await?;
    let outcome = use_code(owner, factor, code, &attempt).await;
    settle(owner, held, &attempt, outcome).await
}

async fn use_code(
    owner: &Owner,
    factor: &MfaFactor,
    code: &str,
    attempt: &SignInAttempt,
) -> Result<(), OwnAccountRefusal> {
    let cipher = &owner.app.cipher;
    if factor.kind == FactorType::BackupCode {
        let (mut work, user) = owner.begin().await?;
        if !accounts::use_backup_code(&mut work, cipher, &user.id, &factor.id, code).await? {
            return Err(InteractionRefusal::InvalidBackupCode.into());
        }
        attempt.succeeded(&mut work).await?;
        return Ok(work.commit().await?);
    }
    let secret = mfa::decrypt(cipher, &factor.id, &factor.sealed)?;
    let step = accounts::matching_step(&secret, code, owner.now()).ok_or(InteractionRefusal::InvalidTotp)?;
    let (mut work, _) = owner.begin().await?;
    if !users::mfa::use_step(&mut work, &factor.id, step).await? {
        return Err(InteractionRefusal::InvalidTotp.into());
    }
    attempt.succeeded(&mut work).await?;
    Ok(work.commit().await?)
}

async fn by_passkey(owner: &Owner, answer: Map<String, Value>, challenge: &Value) -> Result<(), OwnAccountRefusal> {
    let held = Held::load(owner, &mut owner.read().await?).await?;
    let attempt = count(owner, FactorType::WebAuthn).await?;
    let outcome = use_answer(owner, answer, challenge, &attempt).await;
    settle(owner, &held, &attempt, outcome).await
}

async fn use_answer(
    owner: &Owner,
    answer: Map<String, Value>,
    challenge: &Value,
    attempt: &SignInAttempt,
) -> Result<(), OwnAccountRefusal> {
    let used = use_passkey::verify_of(&owner.app, answer, challenge, Some(&owner.user_id)).await?;
    let (mut work, _) = owner.begin().await?;
    used.keep(&mut work).await?;
    attempt.succeeded(&mut work).await?;
    Ok(work.commit().await?)
}

/// Counts an attempt at a second factor, together with those at sign-in.
async fn count(owner: &Owner, kind: FactorType) -> Result<SignInAttempt, OwnAccountRefusal> {
    let mut tx = owner.read().await?;
    let policy = EXPERIENCE.find(&mut tx).await?.sentinel_policy;
    let is_known = guesses::is_known_here(owner, &mut tx).await?;
    drop(tx);
    Ok(attempts::count_factor(&owner.app, &policy, kind, &owner.user_id, is_known, owner.origin.ip).await?)
}

/// Settles an attempt: a wrong answer counts, but errors that prevented the check do not.
async fn settle(
    owner: &Owner,
    held: &Held,
    attempt: &SignInAttempt,
    outcome: Result<(), OwnAccountRefusal>,
) -> Result<(), OwnAccountRefusal> {
    match outcome {
        Ok(()) => Ok(()),
        Err(OwnAccountRefusal::Common(
            refusal @ (InteractionRefusal::InvalidTotp
            | InteractionRefusal::InvalidBackupCode
            | InteractionRefusal::InvalidPasskey),
        )) => {
            attempt.failed(&owner.app).await?;
            guesses::tell_lockout(owner, attempt, identifier_of(&held.user).as_ref()).await?;
            Err(attempt.refusal(refusal).into())
        }
        Err(other) => {
            attempt.undo_failure(&owner.app).await?;
            Err(other)
        }
    }
}
