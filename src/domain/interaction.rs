//! What was done so far in a sign-in, registration or consent: a list of verifications, and a profile that is being
//! completed.

use super::authorization::next_step::Done;
use super::id::{SessionId, UserId};
use serde::{Deserialize, Serialize};

/// What somebody is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InteractionEvent {
    /// To sign in.
    SignIn,
    /// To register.
    Register,
    /// To choose a new password.
    ForgotPassword,
}

/// The kinds of identifier that people sign in with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IdentifierType {
    /// A user name.
    Username,
    /// An email address.
    Email,
    /// A phone number.
    Phone,
}

/// An identifier that somebody typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: IdentifierType,
    /// As it was typed.
    pub value: String,
}

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Method {
    /// The password of an existing user.
    Password {
        /// By which the user was found.
        identifier: Identifier,
        /// The user.
        user_id: UserId,
    },
    /// A user name and a password of somebody new.
    NewPasswordIdentity {
        /// The user name.
        identifier: Identifier,
        /// The digest of the password.
        digest: String,
    },
}

/// What a user is to have when the interaction is submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedProfile {
    /// A user name.
    pub username: Option<String>,
    /// The digest of a password.
    pub password_digest: Option<String>,
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Progress {
    /// What somebody is about to do.
    pub event: Option<InteractionEvent>,
    /// Who they are, once identified.
    pub user_id: Option<UserId>,
    /// Whether the user was created in this interaction.
    pub registered: bool,
    /// The verifications.
    pub verifications: Vec<Verification>,
    /// What is to be written when it is submitted.
    pub profile: StagedProfile,
    /// The session that was begun or chosen.
    pub session_id: Option<SessionId>,
    /// Whether they proved who they are in this interaction.
    pub authenticated: bool,
    /// Whether they consented in this interaction.
    pub consented: bool,
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

    /// The verification of that id.
    #[must_use]
    pub fn verification(&self, id: &str) -> Option<&Verification> {
        self.verifications.iter().find(|known| known.id == id)
    }
}
