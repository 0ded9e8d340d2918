//! What was done so far in a sign-in, registration or consent: a list of verifications, and a profile that is being
//! completed.

use super::authorization::next_step::Done;
use super::captcha::CaptchaProgress;
use super::custom_profile_field::submission::ValueLocation;
use super::federated::{ConnectorKind, Federated};
use super::id::{OrganizationId, SessionId, UserId};
use super::staged_factors::StagedMfa;
use super::submitted_interaction::SubmittedInteraction;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

pub use super::identifier::{Identifier, IdentifierType};
pub use super::interaction_event::InteractionEvent;
pub use super::verification::{Method, Verification};

/// What a user is to have when the interaction is submitted.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StagedProfile {
    /// A user name.
    pub username: Option<String>,
    /// The digest of a password.
    pub password_digest: Option<String>,
    /// An email address, which was verified.
    pub primary_email: Option<String>,
    /// A phone number, which was verified; international digits.
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

    /// Stages a value; null takes it away.
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

    /// What is staged under the name of a field.
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
    /// Without digests.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("StagedProfile").field("username", &self.username).finish_non_exhaustive()
    }
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_excessive_bools, reason = "each of them may be so, whatever the others are")]
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
    /// Whether they were asked for the fields of the operator, and answered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extra_profile_submitted: bool,
    /// What is to be written about second factors.
    pub mfa: StagedMfa,
    /// Whether the user trusts the browser from now on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trust_device: bool,
    /// What the browser was asked before it was known whether anybody signs in with a passkey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey_challenge: Option<Value>,
    /// What was asked to tell people from programs.
    #[serde(skip_serializing_if = "CaptchaProgress::is_new")]
    pub captcha: CaptchaProgress,
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

    /// Whether somebody proved who they are in a way that programs do not try: elsewhere, by a link, by a passkey.
    #[must_use]
    pub fn skips_captcha(&self) -> bool {
        self.verifications.iter().any(|kept| match &kept.method {
            Method::OneTimeToken { .. } => true,
            Method::SignInPasskey { proved, .. } => proved.is_some(),
            Method::Social(federated) | Method::EnterpriseSso(federated) => federated.account.is_some(),
            _ => false,
        })
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

    /// Remembers whom a verification by a code or a link turned out to be about.
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

    /// The kind of this connector, if its answer is waited for.
    #[must_use]
    pub fn awaited_kind(&self, connector_id: &str) -> Option<ConnectorKind> {
        let mut found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        found.find(|(_, one)| one.connector_id == connector_id && one.pending.is_some()).map(|(kind, _)| kind)
    }

    /// Whether the answer of this connector with the state of this hash is waited for.
    #[must_use]
    pub fn awaits(&self, connector_id: &str, state_hash: &str) -> bool {
        let mut found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        found.any(|(_, one)| {
            one.connector_id == connector_id && one.pending.as_ref().is_some_and(|pending| pending.state == state_hash)
        })
    }

    /// The account at a connector of that kind that identified this user.
    #[must_use]
    pub fn federated_of(&self, kind: ConnectorKind, user_id: &UserId) -> Option<&Federated> {
        let found = self.verifications.iter().filter_map(|kept| kept.method.federated());
        let is_of = |federated: &Federated| federated.account.is_some() && federated.user_id.as_ref() == Some(user_id);
        found.filter(|(found, _)| *found == kind).map(|(_, federated)| federated).find(|federated| is_of(federated))
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
