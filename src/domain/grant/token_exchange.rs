//! Rules of token exchange (RFC 8693): who may exchange which tokens. They do not load the facts that they decide on.

use crate::documents::application::CustomClientMetadata;
use crate::id::ApplicationId;
use crate::scope;

/// The token type of access tokens (RFC 8693 section 3).
pub const ACCESS_TOKEN_TYPE: &str = "urn:ietf:params:oauth:token-type:access_token";
/// The token type of subject tokens.
pub const IMPERSONATION_TOKEN_TYPE: &str = "urn:logto:token-type:impersonation_token";
/// The token type of personal access tokens.
pub const PERSONAL_ACCESS_TOKEN_TYPE: &str = "urn:logto:token-type:personal_access_token";

/// The token type of JWTs (RFC 8693 section 3), which access tokens for resources are.
const JWT_TYPE: &str = "urn:ietf:params:oauth:token-type:jwt";

/// The subject token of a test: the console hands it to an application, which exchanges it as it would a real one. It
/// stands for no user and is always refused, after everything else about the request was checked, so that the refusal
/// says what is still wrong.
pub const TEST_SUBJECT_TOKEN: &str = "sub_test";
/// The refusal of a test whose request is right.
pub const TEST_PASSED: &str = "this subject token is a test from the console; the rest of the request is right";
/// The refusal of a test whose request is right, except that the token would not name who acts.
pub const TEST_WITHOUT_ACTOR: &str = "this subject token is a test from the console; the request has no actor_token, \
                                      so that the token would not name who acts";

/// Whether an exchange may request this type of token: it issues an access token, which is a JWT.
#[must_use]
pub fn may_request(requested_token_type: &str) -> bool {
    [ACCESS_TOKEN_TYPE, JWT_TYPE].contains(&requested_token_type)
}

/// Maximum bytes of a subject token or a personal access token.
const MAX_TOKEN_BYTES: usize = 256;

/// The kind of token that represents the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// A subject token, for impersonation; single use.
    SubjectToken,
    /// A personal access token, which can be used repeatedly.
    PersonalAccessToken,
}

impl SubjectKind {
    /// The kind that a `subject_token_type` names.
    #[must_use]
    pub fn of_type(subject_token_type: &str) -> Option<Self> {
        match subject_token_type {
            ACCESS_TOKEN_TYPE | IMPERSONATION_TOKEN_TYPE => Some(Self::SubjectToken),
            PERSONAL_ACCESS_TOKEN_TYPE => Some(Self::PersonalAccessToken),
            _ => None,
        }
    }

    /// Whether a text can be such a token; other texts are refused without a lookup.
    #[must_use]
    pub fn can_be(self, token: &str) -> bool {
        let prefix = match self {
            Self::SubjectToken => "sub_",
            Self::PersonalAccessToken => "pat_",
        };
        token.starts_with(prefix) && token.len() <= MAX_TOKEN_BYTES
    }

    /// Whether an actor may act for the subject. A personal access token is only for its owner.
    #[must_use]
    pub const fn allows_actor(self) -> bool {
        matches!(self, Self::SubjectToken)
    }
}

/// Whether an application may use the token-exchange grant. Third parties never may.
#[must_use]
pub fn may_exchange(metadata: &CustomClientMetadata, is_third_party: bool) -> bool {
    metadata.allow_token_exchange == Some(true) && !is_third_party
}

/// The facts about a presented actor token (`docs/decisions/actor-tokens.md`).
#[derive(Clone, Copy, Debug)]
pub struct PresentedActor<'s> {
    /// Whether it was issued by a token exchange.
    pub exchanged: bool,
    /// The application that it was issued to.
    pub application_id: &'s ApplicationId,
    /// Its scopes.
    pub scope: &'s str,
    /// Whether it represents a user.
    pub of_user: bool,
}

/// The reason that an actor token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorRefusal {
    /// The token is not acceptable as an actor token.
    NotAccepted,
    /// It lacks the scope `openid`.
    WithoutOpenid,
}

/// Whether the user of a live token may act in an exchange by the application `client_id`: the token was issued to it
/// or to an application that it trusts, not by an exchange, for a user, with `openid`.
pub fn accept_actor(
    client_id: &ApplicationId,
    metadata: &CustomClientMetadata,
    presented: PresentedActor<'_>,
) -> Result<(), ActorRefusal> {
    let trusted = metadata.trusted_actor_client_ids.as_deref().unwrap_or_default();
    let is_trusted =
        presented.application_id == client_id || trusted.iter().any(|id| *presented.application_id == **id);
    if presented.exchanged || !presented.of_user || !is_trusted {
        return Err(ActorRefusal::NotAccepted);
    }
    if scope::contains(presented.scope, "openid") { Ok(()) } else { Err(ActorRefusal::WithoutOpenid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_represented_by_a_token_of_two_kinds() {
        use SubjectKind::{PersonalAccessToken, SubjectToken};
        for (name, expected) in [
            (ACCESS_TOKEN_TYPE, Some(SubjectToken)),
            (IMPERSONATION_TOKEN_TYPE, Some(SubjectToken)),
            (PERSONAL_ACCESS_TOKEN_TYPE, Some(PersonalAccessToken)),
            ("urn:ietf:params:oauth:token-type:jwt", None),
            ("", None),
        ] {
            assert_eq!(SubjectKind::of_type(name), expected, "{name}");
        }
        assert!(SubjectToken.can_be("sub_a") && PersonalAccessToken.can_be("pat_a"));
        assert!(!SubjectToken.can_be("pat_a") && !PersonalAccessToken.can_be("sub_a"));
        assert!(!SubjectToken.can_be(&format!("sub_{}", "a".repeat(MAX_TOKEN_BYTES - 3))));
        assert!(SubjectToken.allows_actor() && !PersonalAccessToken.allows_actor());
    }

    #[test]
    fn third_parties_exchange_nothing() {
        let metadata = |allow_token_exchange| CustomClientMetadata { allow_token_exchange, ..Default::default() };
        for (allowed, is_third_party, expected) in
            [(Some(true), false, true), (Some(true), true, false), (Some(false), false, false), (None, false, false)]
        {
            assert_eq!(may_exchange(&metadata(allowed), is_third_party), expected, "{allowed:?} {is_third_party}");
        }
    }

    #[test]
    fn an_actor_is_a_user_whom_the_application_trusts() {
        let metadata = CustomClientMetadata {
            trusted_actor_client_ids: Some(vec!["console".to_owned()]),
            ..CustomClientMetadata::default()
        };
        let [store, console, stranger] = ["store", "console", "stranger"].map(ApplicationId::from);
        let good = PresentedActor { exchanged: false, application_id: &store, scope: "profile openid", of_user: true };
        for (presented, expected) in [
            (good, Ok(())),
            (PresentedActor { application_id: &console, ..good }, Ok(())),
            (PresentedActor { application_id: &stranger, ..good }, Err(ActorRefusal::NotAccepted)),
            (PresentedActor { exchanged: true, ..good }, Err(ActorRefusal::NotAccepted)),
            (PresentedActor { of_user: false, ..good }, Err(ActorRefusal::NotAccepted)),
            (PresentedActor { scope: "profile openid2", ..good }, Err(ActorRefusal::WithoutOpenid)),
            (PresentedActor { scope: "", application_id: &stranger, ..good }, Err(ActorRefusal::NotAccepted)),
        ] {
            assert_eq!(accept_actor(&store, &metadata, presented), expected, "{presented:?}");
        }
    }
}
