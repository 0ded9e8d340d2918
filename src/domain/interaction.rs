//! Progress of a sign-in, registration or consent: the verifications, and the profile to be written.

use super::authorization::next_step::InteractionResult;
use super::captcha::CaptchaProgress;
use super::custom_profile_field::submission::ValueLocation;
use super::federated::{ConnectorKind, Federated};
use super::id::{OrganizationId, SessionId, UserId};
use super::staged_factors::StagedMfa;
use super::submitted_interaction::SubmittedInteraction;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

pub use super::interaction_event::InteractionEvent;
pub use super::verification::{Method, Verification};

/// Profile data to be written when the interaction is submitted.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedProfile {
    /// A username.
    pub username: Option<String>,
    /// The hash of a password.
    pub password_digest: Option<String>,
    /// A verified email address.
    pub primary_email: Option<String>,
    /// A verified phone number, in international digits.
    pub primary_phone: Option<String>,
    /// A display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The URL of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// Standard claims.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub profile: Map<String, Value>,
    /// The integrator's data.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub custom_data: Map<String, Value>,
    /// An account at a social connector.
    pub social: Option<Federated>,
    /// An account at an enterprise connector.
    pub enterprise: Option<Federated>,
}

impl StagedProfile {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Stages a value; null removes it.
    pub fn enter(&mut self, place: ValueLocation, value: Value) {
        let (members, name) = match place {
            ValueLocation::Name => return self.name = value.as_str().map(str::to_owned),
            ValueLocation::Avatar => return self.avatar = value.as_str().map(str::to_owned),
            ValueLocation::Profile(name) => (&mut self.profile, name),
            ValueLocation::CustomData(name) => (&mut self.custom_data, name),
        };
        if value.is_null() {
            members.shift_remove(&name);
        } else {
            members.insert(name, value);
        }
    }

    /// The staged value of a field.
    #[must_use]
    pub fn entered(&self, name: &str) -> Option<Value> {
        match ValueLocation::of(name) {
            ValueLocation::Name => self.name.clone().map(Value::String),
            ValueLocation::Avatar => self.avatar.clone().map(Value::String),
            ValueLocation::Profile(name) => self.profile.get(&name).cloned(),
            ValueLocation::CustomData(name) => self.custom_data.get(&name).cloned(),
        }
    }
}

impl fmt::Debug for StagedProfile {
    /// Omits password hashes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StagedProfile").field("username", &self.username).finish_non_exhaustive()
    }
}

/// The progress of an interaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_excessive_bools, reason = "each of them may be so, whatever the others are")]
pub struct Progress {
    /// The event of the interaction.
    pub event: Option<InteractionEvent>,
    /// The user, once identified.
    pub user_id: Option<UserId>,
    /// Hash of the user's password hash at identification: if the password changes, the user must sign in again.
    pub credential: Option<String>,
    /// Whether the user was created in this interaction.
    pub registered: bool,
    /// The verifications.
    pub verifications: Vec<Verification>,
    /// Profile data to be written on submit.
    pub profile: StagedProfile,
    /// Whether the user submitted the custom profile fields.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extra_profile_submitted: bool,
    /// Second factors to be written on submit.
    pub mfa: StagedMfa,
    /// Whether the user trusts the browser from now on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trust_device: bool,
    /// Whether it was reported that the sign-in is unusual and needs a second factor.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reported_as_unusual: bool,
    /// The passkey challenge that was sent to the browser before the user was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey_challenge: Option<Value>,
    /// The state of the captcha.
    #[serde(skip_serializing_if = "CaptchaProgress::is_new")]
    pub captcha: CaptchaProgress,
    /// The session that was started or chosen.
    pub session_id: Option<SessionId>,
    /// Whether the user authenticated in this interaction.
    pub authenticated: bool,
    /// Whether the user consented in this interaction; `None` until asked.
    pub consented: Option<bool>,
    /// The organizations that the user consented to for a third party.
    pub organizations: Vec<OrganizationId>,
}

impl Progress {
    /// The result for the authorization request.
    #[must_use]
    pub fn result(&self) -> InteractionResult {
        InteractionResult {
            session_id: self.session_id.clone(),
            authenticated: self.authenticated,
            consented: self.consented,
        }
    }

    /// Whether the user authenticated in a way that bots do not attack: at an identity provider, by a link, or by a
    /// passkey.
    #[must_use]
    pub fn skips_captcha(&self) -> bool {
        self.verifications.iter().any(|kept| match &kept.method {
            Method::OneTimeToken { .. } => true,
            Method::SignInPasskey { proved, .. } => proved.is_some(),
            Method::Social(federated) | Method::EnterpriseSso(federated) => federated.account.is_some(),
            _ => false,
        })
    }

    /// Stores a verification, replacing one of the same type.
    pub fn keep(&mut self, verification: Verification) {
        let same = |known: &Verification| {
            std::mem::discriminant(&known.method) == std::mem::discriminant(&verification.method)
        };
        self.verifications.retain(|known| !same(known));
        self.verifications.push(verification);
    }

    /// Removes the hashes of new passwords, which are stored with the user now.
    pub fn forget_digests(&mut self) {
        for kept in &mut self.verifications {
            if let Method::NewPasswordIdentity { digest, .. } = &mut kept.method {
                *digest = None;
            }
        }
    }

    /// The record of the interaction after this user signed in. Contains only this user's verifications: other accounts
    /// may have been tried before.
    #[must_use]
    pub fn submitted(&self, event: InteractionEvent, user_id: &UserId) -> SubmittedInteraction {
        let is_theirs = |verification: &&Verification| match &verification.method {
            Method::Password { user_id: of, .. } => of == user_id,
            Method::NewPasswordIdentity { digest, .. } => digest.is_none(),
            Method::OneTimeToken { user_id: of, .. } => of.as_ref() == Some(user_id),
            method => {
                method.identifying_code().is_some_and(|sent| sent.verified && sent.user_id.as_ref() == Some(user_id))
            }
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

    /// Stores the user that a verification by a code or a link identified.
    pub fn attribute(&mut self, id: &str, to: &UserId) {
        let verification = self.verifications.iter_mut().find(|known| known.id == id);
        match verification.map(|verification| &mut verification.method) {
            Some(Method::EmailVerificationCode(sent) | Method::PhoneVerificationCode(sent)) => {
                sent.user_id = Some(to.clone());
            }
            Some(Method::OneTimeToken { user_id, .. }) => *user_id = Some(to.clone()),
            Some(Method::Social(federated) | Method::EnterpriseSso(federated)) if federated.account.is_some() => {
                federated.user_id = Some(to.clone());
            }
            _ => {}
        }
    }

    /// The kind of this connector, if its response is pending.
    #[must_use]
    pub fn awaited_kind(&self, connector_id: &str) -> Option<ConnectorKind> {
        let mut found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        found.find(|(_, one)| one.connector_id == connector_id && one.pending.is_some()).map(|(kind, _)| kind)
    }

    /// Whether a response of this connector with this hash of `state` is pending.
    #[must_use]
    pub fn awaits(&self, connector_id: &str, state_hash: &str) -> bool {
        let mut found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        found.any(|(_, one)| {
            one.connector_id == connector_id && one.pending.as_ref().is_some_and(|pending| pending.state == state_hash)
        })
    }

    /// The account at a connector of this kind that identified the user.
    #[must_use]
    pub fn federated_of(&self, kind: ConnectorKind, user_id: &UserId) -> Option<&Federated> {
        let found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        let is_of = |federated: &Federated| federated.account.is_some() && federated.user_id.as_ref() == Some(user_id);
        found.filter(|(found, _)| *found == kind).map(|(_, federated)| federated).find(|federated| is_of(federated))
    }

    /// The verification with this id.
    #[must_use]
    pub fn verification(&self, id: &str) -> Option<&Verification> {
        self.verifications.iter().find(|known| known.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identifier::{Identifier, IdentifierType};
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
