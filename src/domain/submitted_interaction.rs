//! The sign-in or registration that a session comes from, as claims plugins are told of it: `context.interaction`. It
//! holds no secret, and is kept with the session and what is authorized in it.

use super::id::UserId;
use super::interaction::{Identifier, InteractionEvent, Method, Verification};
use serde::{Deserialize, Serialize};

/// The most verifications that are kept; an interaction has one of each type.
const MAX_RECORDS: usize = 16;

/// An interaction that was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedInteraction {
    /// What it was.
    pub interaction_event: InteractionEvent,
    /// Who signed in.
    pub user_id: UserId,
    /// How they proved who they are.
    pub verification_records: Vec<VerificationRecord>,
}

/// A verification, without its secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerificationRecord {
    /// 21 characters.
    pub id: String,
    /// Its type, such as `Password`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was typed.
    pub identifier: Identifier,
    /// Whether it proved something; that of a new password has nothing to prove.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verified: Option<bool>,
}

impl SubmittedInteraction {
    /// What is told of an interaction with these verifications, of which only those of this user count: others may have
    /// been tried before.
    #[must_use]
    pub fn new(event: InteractionEvent, user_id: &UserId, verifications: &[Verification]) -> Self {
        let is_theirs = |verification: &&Verification| match &verification.method {
            Method::Password { user_id: of, .. } => of == user_id,
            Method::NewPasswordIdentity { digest, .. } => digest.is_none(),
        };
        let theirs = verifications.iter().filter(is_theirs).take(MAX_RECORDS);
        let verification_records = theirs.map(VerificationRecord::of).collect();
        Self { interaction_event: event, user_id: user_id.clone(), verification_records }
    }
}

impl VerificationRecord {
    fn of(Verification { id, method }: &Verification) -> Self {
        Self {
            id: id.clone(),
            kind: method.name().to_owned(),
            identifier: method.identifier().clone(),
            verified: match method {
                Method::Password { .. } => Some(true),
                Method::NewPasswordIdentity { .. } => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::interaction::IdentifierType;
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
        let methods =
            [("a", password("u1")), ("b", new(None)), ("c", password("u2")), ("d", new(Some("not used yet")))];
        let verifications = methods.map(|(id, method)| Verification { id: id.to_owned(), method });
        let told = SubmittedInteraction::new(InteractionEvent::SignIn, &"u1".into(), &verifications);
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
