//! Second factors of a user: adding, using and removing.

use super::backup_codes::BackupCodes;
use super::trusted_devices::end_trusted_devices;
use super::{AccountRefusal, mfa, passkeys};
use claimsmith_domain::audit_key::AuditOperation;
use claimsmith_domain::documents::mfa::{BACKUP_CODE_LENGTH, BACKUP_CODES, FactorType, are_backup_codes};
use claimsmith_domain::id::{FactorId, UserId};
use claimsmith_domain::random::{self, RandomError};
use claimsmith_domain::staged_factors::StagedFactor;
use claimsmith_services::encryption::Cipher;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage as storage;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::mfa::MfaFactor;
use claimsmith_storage::users::{self, User};
use serde_json::json;

/// A factor with its secret, which is shown only once.
pub enum NewFactor {
    /// Time-based one-time passwords (RFC 6238), by a secret in base 32.
    Totp(String),
    /// Single-use codes.
    BackupCodes(Vec<String>),
}

impl NewFactor {
    /// Time-based one-time passwords, with this secret or a generated one.
    pub fn totp(secret: Option<String>) -> Result<Self, AccountRefusal> {
        match secret {
            None => Ok(Self::Totp(mfa::new_totp_secret()?)),
            Some(secret) if mfa::is_totp_secret(&secret) => Ok(Self::Totp(secret)),
            Some(_) => Err(AccountRefusal::BadTotpSecret),
        }
    }

    /// Backup codes: these or generated ones.
    pub fn backup_codes(codes: Option<Vec<String>>) -> Result<Self, AccountRefusal> {
        let codes = match codes {
            None => new_backup_codes()?,
            Some(codes) if are_backup_codes(&codes) => codes,
            Some(_) => return Err(AccountRefusal::BadBackupCodes),
        };
        Ok(Self::BackupCodes(codes))
    }

    /// Its type.
    pub(crate) fn kind(&self) -> FactorType {
        match self {
            Self::Totp(_) => FactorType::Totp,
            Self::BackupCodes(_) => FactorType::BackupCode,
        }
    }
}

/// Generates backup codes.
pub fn new_backup_codes() -> Result<Vec<String>, RandomError> {
    (0..BACKUP_CODES).map(|_| random::id(BACKUP_CODE_LENGTH)).collect()
}

/// The stored form of a new factor, with its secret encrypted by `cipher`.
pub fn stage_factor(cipher: &Cipher, new: &NewFactor) -> Result<StagedFactor, AccountRefusal> {
    let id = FactorId::from(random::id(21)?);
    let sealed = match new {
        NewFactor::Totp(secret) => mfa::encrypt(cipher, &id, secret)?,
        NewFactor::BackupCodes(codes) => BackupCodes::new(id.clone(), codes).encrypt(cipher)?,
    };
    Ok(StagedFactor { id, sealed, used_step: None })
}

/// Adds a second factor to a user; returns the user. `used_step`: the time step of the one-time password that proved
/// it.
pub async fn add_factor(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    user_id: &UserId,
    new: &NewFactor,
    used_step: Option<i64>,
) -> Result<User, AccountRefusal> {
    let staged = StagedFactor { used_step, ..stage_factor(cipher, new)? };
    insert(work, user_id, new.kind(), staged).await
}

/// Adds a previously staged factor to a user. New backup codes replace existing ones that are all used.
pub(crate) async fn add_staged_factor(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    user_id: &UserId,
    kind: FactorType,
    staged: StagedFactor,
) -> Result<User, AccountRefusal> {
    // Encrypted again, since the encryption key may have changed since staging.
    let sealed = mfa::encrypt(cipher, &staged.id, &mfa::decrypt(cipher, &staged.id, &staged.sealed)?)?;
    if kind == FactorType::BackupCode {
        for factor in users::mfa::list(work, user_id).await? {
            if factor.kind == kind && BackupCodes::read(cipher, &factor)?.remaining() == 0 {
                remove_factor(work, user_id, &factor.id).await?;
            }
        }
    }
    insert(work, user_id, kind, StagedFactor { sealed, ..staged }).await
}

async fn insert(
    work: &mut UnitOfWork,
    user_id: &UserId,
    kind: FactorType,
    staged: StagedFactor,
) -> Result<User, AccountRefusal> {
    let user = users::find_to_change(work, user_id).await?;
    let user = user.ok_or_else(|| AccountRefusal::UnknownUser(user_id.clone()))?;
    if !kind.stands_alone() && !has_other_factor(work, &user, kind).await? {
        return Err(AccountRefusal::BackupCodesAlone);
    }
    let factor = MfaFactor {
        id: staged.id,
        user_id: user_id.clone(),
        kind,
        sealed: staged.sealed,
        used_step: staged.used_step,
        created_at: work.now(),
        name: None,
    };
    match users::mfa::insert(work, &factor).await {
        Err(storage::Error::Conflict) => return Err(AccountRefusal::FactorInUse(kind)),
        other => other?,
    }
    end_trusted_devices(work, user_id, 0).await?;
    let details = json!({ "userId": user_id, "factorId": factor.id, "type": factor.kind });
    work.audit(work.key(AuditOperation::UserAddMfaFactor), details).await?;
    Ok(user)
}

/// Whether a user has a second factor of another type: a stored factor, a passkey, or codes to their email address or
/// phone number if the settings enable them.
async fn has_other_factor(work: &mut UnitOfWork, user: &User, kind: FactorType) -> Result<bool, AccountRefusal> {
    if users::mfa::list(work, &user.id).await?.iter().any(|factor| factor.kind != kind)
        || !users::passkeys::of_user(work, &user.id).await?.is_empty()
    {
        return Ok(true);
    }
    let factors = EXPERIENCE.find(work).await?.mfa.factors;
    let codes = [
        (FactorType::EmailVerificationCode, &user.primary_email),
        (FactorType::PhoneVerificationCode, &user.primary_phone),
    ];
    Ok(codes.into_iter().any(|(kind, address)| address.is_some() && factors.contains(&kind.setting())))
}

/// Adds a second factor to a user, replacing an existing one of its type. `used_step`: the time step of the one-time
/// password that proved it.
pub async fn replace_factor(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    user_id: &UserId,
    new: &NewFactor,
    used_step: Option<i64>,
) -> Result<User, AccountRefusal> {
    let staged = StagedFactor { used_step, ..stage_factor(cipher, new)? };
    let factors = users::mfa::list(work, user_id).await?;
    for factor in factors.iter().filter(|factor| factor.kind == new.kind()) {
        remove_factor(work, user_id, &factor.id).await?;
    }
    insert(work, user_id, new.kind(), staged).await
}

/// Renames a second factor of a user.
pub async fn rename_factor(
    work: &mut UnitOfWork,
    user_id: &UserId,
    factor_id: &FactorId,
    name: &str,
) -> Result<(), AccountRefusal> {
    let is_renamed = users::mfa::rename(work, user_id, factor_id, name).await?
        || passkeys::rename(work, user_id, factor_id, name).await?;
    if !is_renamed {
        return Err(AccountRefusal::UnknownFactor);
    }
    let details = json!({ "userId": user_id, "factorId": factor_id });
    Ok(work.audit(work.key(AuditOperation::UserRenameMfaFactor), details).await?)
}

/// Uses a backup code of a user. Each code works once, also with concurrent requests. `false` if it is not a code of
/// this user or is already used.
pub async fn use_backup_code(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    user_id: &UserId,
    factor_id: &FactorId,
    code: &str,
) -> Result<bool, AccountRefusal> {
    // Locks the user, so that concurrent uses of backup codes wait.
    users::find_to_change(work, user_id).await?.ok_or_else(|| AccountRefusal::UnknownUser(user_id.clone()))?;
    let factors = users::mfa::list(work, user_id).await?;
    let Some(factor) = factors.iter().find(|factor| factor.id == *factor_id) else { return Ok(false) };
    let (mut codes, now) = (BackupCodes::read(cipher, factor)?, work.now());
    let works = codes.take(code, now);
    if works {
        users::mfa::replace_secret(work, factor_id, &codes.encrypt(cipher)?).await?;
    }
    Ok(works)
}

/// Removes a second factor of a user. Returns whether it existed.
pub async fn remove_factor(
    work: &mut UnitOfWork,
    user_id: &UserId,
    factor_id: &FactorId,
) -> Result<bool, AccountRefusal> {
    let is_removed =
        users::mfa::delete(work, user_id, factor_id).await? || passkeys::remove(work, user_id, factor_id).await?;
    if !is_removed {
        return Ok(false);
    }
    end_trusted_devices(work, user_id, 0).await?;
    let details = json!({ "userId": user_id, "factorId": factor_id });
    work.audit(work.key(AuditOperation::UserDeleteMfaFactor), details).await?;
    Ok(true)
}
