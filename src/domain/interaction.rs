//! What was done so far in a sign-in, registration or consent: a list of verifications, and a profile that is being
//! completed.

use super::authorization::next_step::Done;
use super::id::{FactorId, OrganizationId, SessionId, UserId};
use super::staged_factors::{StagedFactor, StagedMfa};
use super::submitted_interaction::{SubmittedInteraction, VerificationRecord};
use serde::{Deserialize, Serialize};
use std::fmt;

pub use super::identifier::{Identifier, IdentifierType};
pub use super::interaction_event::InteractionEvent;

/// A verification: one of each type is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// 21 characters.
    pub id: String,
    /// What was verified.
    #[serde(flatten)]
    pub method: Method,
}

/// The types of verification. No secret but a digest is kept in them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Method {
    /// The password of an existing user.
    Password {
        /// By which the user was found.
        identifier: Identifier,
        /// The user.
        user_id: UserId,
        /// The hash of the digest that it was verified against: another password makes it void.
        credential: String,
    },
    /// A user name and a password of somebody new.
    NewPasswordIdentity {
        /// The user name.
        identifier: Identifier,
        /// The digest of the password, until it is the user's.
        digest: Option<String>,
    },
    /// A one-time password of an authenticator that the user had before.
    Totp {
        /// The user.
        user_id: UserId,
        /// The factor: without it, the verification is void.
        factor_id: FactorId,
    },
    /// A secret for one-time passwords that the user is setting up.
    NewTotp {
        /// The user.
        user_id: UserId,
        /// The secret.
        factor: StagedFactor,
    },
    /// A backup code that the user had before.
    BackupCode {
        /// The user.
        user_id: UserId,
        /// The factor: without it, the verification is void.
        factor_id: FactorId,
    },
    /// Backup codes that the user is given.
    NewBackupCodes {
        /// The user.
        user_id: UserId,
        /// Their digests.
        factor: StagedFactor,
    },
}

impl Method {
    /// The name of the type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Password { .. } => "Password",
            Self::NewPasswordIdentity { .. } => "NewPasswordIdentity",
            Self::Totp { .. } | Self::NewTotp { .. } => "Totp",
            Self::BackupCode { .. } | Self::NewBackupCodes { .. } => "BackupCode",
        }
    }

    /// What was typed, where that says who somebody is.
    #[must_use]
    pub fn identifier(&self) -> Option<&Identifier> {
        match self {
            Self::Password { identifier, .. } | Self::NewPasswordIdentity { identifier, .. } => Some(identifier),
            Self::Totp { .. } | Self::NewTotp { .. } | Self::BackupCode { .. } | Self::NewBackupCodes { .. } => None,
        }
    }

    /// Whose second factor it is about.
    #[must_use]
    pub fn holder(&self) -> Option<&UserId> {
        match self {
            Self::Password { .. } | Self::NewPasswordIdentity { .. } => None,
            Self::Totp { user_id, .. }
            | Self::NewTotp { user_id, .. }
            | Self::BackupCode { user_id, .. }
            | Self::NewBackupCodes { user_id, .. } => Some(user_id),
        }
    }

    /// Whether it proves anything yet.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        match self {
            Self::NewTotp { factor, .. } => factor.used_step.is_some(),
            _ => true,
        }
    }
}

impl Verification {
    /// What may be told of it; nothing of second factors, which have no identifier.
    fn record(&self) -> Option<VerificationRecord> {
        Some(VerificationRecord {
            id: self.id.clone(),
            kind: self.method.name().to_owned(),
            identifier: self.method.identifier()?.clone(),
            verified: match self.method {
                Method::NewPasswordIdentity { .. } => None,
                _ => Some(true),
            },
        })
    }
}

impl fmt::Debug for Method {
    /// Without digests.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct(self.name()).finish_non_exhaustive()
    }
}

/// What a user is to have when the interaction is submitted.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedProfile {
    /// A user name.
    pub username: Option<String>,
    /// The digest of a password.
    pub password_digest: Option<String>,
}

impl StagedProfile {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Debug for StagedProfile {
    /// Without digests.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StagedProfile").field("username", &self.username).finish_non_exhaustive()
    }
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Progress {
    /// What somebody is about to do.
    pub event: Option<InteractionEvent>,
    /// Who they are, once identified.
    pub user_id: Option<UserId>,
    /// The hash of the digest of their password when they were identified: with another one they have to sign in anew.
    pub credential: Option<String>,
    /// Whether the user was created in this interaction.
    pub registered: bool,
    /// The verifications.
    pub verifications: Vec<Verification>,
    /// What is to be written when it is submitted.
    pub profile: StagedProfile,
    /// What is to be written about second factors.
    pub mfa: StagedMfa,
    /// The session that was begun or chosen.
    pub session_id: Option<SessionId>,
    /// Whether they proved who they are in this interaction.
    pub authenticated: bool,
    /// Whether they consented in this interaction; `None` until they were asked.
    pub consented: Option<bool>,
    /// The organizations that a third party may see and act in.
    pub organizations: Vec<OrganizationId>,
}

impl Progress {
    /// What the authorization request is to know of it.
    #[must_use]
    pub fn done(&self) -> Done {
        Done { session_id: self.session_id.clone(), authenticated: self.authenticated, consented: self.consented }
    }

    /// Keeps a verification, in place of one of the same type.
    pub fn keep(&mut self, verification: Verification) {
        let same = |known: &Verification| {
            std::mem::discriminant(&known.method) == std::mem::discriminant(&verification.method)
        };
        self.verifications.retain(|known| !same(known));
        self.verifications.push(verification);
    }

    /// Forgets the digests of new passwords, which are the user's now.
    pub fn forget_digests(&mut self) {
        for kept in &mut self.verifications {
            if let Method::NewPasswordIdentity { digest, .. } = &mut kept.method {
                *digest = None;
            }
        }
    }

    /// What is told of it once this user has signed in. Only their verifications count: others may have been tried before.
    #[must_use]
    pub fn submitted(&self, event: InteractionEvent, user_id: &UserId) -> SubmittedInteraction {
        let is_theirs = |verification: &&Verification| match &verification.method {
            Method::Password { user_id: of, .. } => of == user_id,
            Method::NewPasswordIdentity { digest, .. } => digest.is_none(),
            _ => false,
        };
        SubmittedInteraction {
            interaction_event: event,
            user_id: user_id.clone(),
            verification_records: self
                .verifications
                .iter()
                .filter(is_theirs)
                .filter_map(Verification::record)
                .collect(),
        }
    }

    /// The verification of that id.
    #[must_use]
    pub fn verification(&self, id: &str) -> Option<&Verification> {
        self.verifications.iter().find(|known| known.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_told_has_no_secret_and_is_about_the_user() -> Result<(), serde_json::Error> {
        let identifier = Identifier { kind: IdentifierType::Username, value: "ada".to_owned() };
        let password = |user: &str| Method::Password {
            identifier: identifier.clone(),
            user_id: user.into(),
            credential: "hash of the digest".to_owned(),
        };
        let new = |digest: Option<&str>| Method::NewPasswordIdentity {
            identifier: identifier.clone(),
            digest: digest.map(str::to_owned),
        };
        let methods = [("a", password("u1")), ("b", new(None)), ("c", password("u2")), ("d", new(Some("unused")))];
        let verifications = methods.map(|(id, method)| Verification { id: id.to_owned(), method }).into();
        let progress = Progress { verifications, ..Progress::default() };
        let told = progress.submitted(InteractionEvent::SignIn, &"u1".into());
        let typed = json!({ "type": "username", "value": "ada" });
        let shown = json!({
            "interactionEvent": "SignIn", "userId": "u1",
            "verificationRecords": [
                { "id": "a", "type": "Password", "identifier": typed, "verified": true },
                { "id": "b", "type": "NewPasswordIdentity", "identifier": typed },
            ],
        });
        assert_eq!(serde_json::to_value(&told)?, shown);
        assert_eq!(serde_json::from_value::<SubmittedInteraction>(shown)?, told);
        Ok(())
    }
}
