//! Second factors of a user: adding and removing.

use super::{Refusal, mfa};
use crate::domain::id::{FactorId, UserId};
use crate::domain::mfa::{self as rules, FactorType};
use crate::encryption::Cipher;
use crate::random;
use crate::storage;
use crate::storage::users::mfa::MfaFactor;
use crate::storage::users::{self, User};
use crate::unit_of_work::UnitOfWork;
use serde_json::json;

/// A factor with its secret, which is shown once.
pub(crate) enum NewFactor {
    /// Time-based one-time passwords (RFC 6238), by a secret in base 32.
    Totp(String),
    /// Codes that work once.
    BackupCodes(Vec<String>),
}

impl NewFactor {
    /// Time-based one-time passwords, by this secret or a new one.
    pub(crate) fn totp(secret: Option<String>) -> Result<Self, Refusal> {
        match secret {
            None => Ok(Self::Totp(mfa::new_totp_secret()?)),
            Some(secret) if mfa::is_totp_secret(&secret) => Ok(Self::Totp(secret)),
            Some(_) => Err(Refusal::BadTotpSecret),
        }
    }

    /// Backup codes: these, or new ones.
    pub(crate) fn backup_codes(codes: Option<Vec<String>>) -> Result<Self, Refusal> {
        let codes = match codes {
            None => {
                (0..rules::BACKUP_CODES).map(|_| random::id(rules::BACKUP_CODE_LENGTH)).collect::<Result<_, _>>()?
            }
            Some(codes) if rules::are_backup_codes(&codes) => codes,
            Some(_) => return Err(Refusal::BadBackupCodes),
        };
        Ok(Self::BackupCodes(codes))
    }

    fn kind(&self) -> FactorType {
        match self {
            Self::Totp(_) => FactorType::Totp,
            Self::BackupCodes(_) => FactorType::BackupCode,
        }
    }
}

/// Gives a user a second factor, whose secret is encrypted with `cipher`; answers the user.
pub(crate) async fn add_factor(
    work: &mut UnitOfWork,
    cipher: &Cipher,
    user_id: &UserId,
    new: &NewFactor,
) -> Result<User, Refusal> {
    let kind = new.kind();
    let factor_id = FactorId::from(random::id(21)?);
    let sealed = match new {
        NewFactor::Totp(secret) => mfa::encrypt(cipher, &factor_id, secret)?,
        NewFactor::BackupCodes(codes) => mfa::encrypt(cipher, &factor_id, &serde_json::to_string(codes)?)?,
    };
    let user = users::find_to_change(work, user_id).await?;
    let user = user.ok_or_else(|| Refusal::UnknownUser(user_id.clone()))?;
    if kind == FactorType::BackupCode && users::mfa::list(work, user_id).await?.is_empty() {
        return Err(Refusal::BackupCodesAlone);
    }
    let factor = MfaFactor {
        id: factor_id,
        user_id: user_id.clone(),
        kind: kind.as_str().to_owned(),
        sealed,
        created_at: work.now(),
    };
    match users::mfa::insert(work, &factor).await {
        Err(storage::Error::Conflict) => return Err(Refusal::FactorInUse(kind)),
        other => other?,
    }
    let details = json!({ "userId": user_id, "factorId": factor.id, "type": factor.kind });
    work.audit(&work.key("User.AddMfaFactor"), details).await?;
    Ok(user)
}

/// Takes a second factor from a user. Whether there was one.
pub(crate) async fn remove_factor(
    work: &mut UnitOfWork,
    user_id: &UserId,
    factor_id: &FactorId,
) -> Result<bool, Refusal> {
    if !users::mfa::delete(work, user_id, factor_id).await? {
        return Ok(false);
    }
    let details = json!({ "userId": user_id, "factorId": factor_id });
    work.audit(&work.key("User.DeleteMfaFactor"), details).await?;
    Ok(true)
}
