//! Who may exchange which tokens (RFC 8693): the rules, without where the facts come from.

use super::scope;
use crate::documents::application::CustomClientMetadata;
use crate::domain::id::ApplicationId;

/// Whether an application may use the token-exchange grant. Third parties never may.
#[must_use]
pub fn may_exchange(metadata: &CustomClientMetadata, is_third_party: bool) -> bool {
    metadata.allow_token_exchange == Some(true) && !is_third_party
}

/// What is known of a token that is shown for the acting user (`docs/decisions/actor-tokens.md`).
#[derive(Clone, Copy, Debug)]
pub struct ShownActor<'s> {
    /// Whether it came from a token exchange itself.
    pub exchanged: bool,
    /// The application that it was issued to.
    pub application_id: &'s ApplicationId,
    /// Its scopes.
    pub scope: &'s str,
    /// Whether it represents a user.
    pub of_user: bool,
}

/// Why the actor token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorRefusal {
    /// The token is not one for this.
    NotAccepted,
    /// It lacks the scope `openid`.
    WithoutOpenid,
}

/// Whether the user behind a live token may act in an exchange by the application `client_id`: the token was issued to
/// it, or to one that it trusts, by no exchange, to a user, with `openid`.
pub fn accept_actor(
    client_id: &ApplicationId,
    metadata: &CustomClientMetadata,
    shown: ShownActor<'_>,
) -> Result<(), ActorRefusal> {
    let trusted = metadata.trusted_actor_client_ids.as_deref().unwrap_or_default();
    let is_trusted = shown.application_id == client_id || trusted.iter().any(|id| *shown.application_id == **id);
    if shown.exchanged || !shown.of_user || !is_trusted {
        return Err(ActorRefusal::NotAccepted);
    }
    if scope::contains(shown.scope, "openid") { Ok(()) } else { Err(ActorRefusal::WithoutOpenid) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let good = ShownActor { exchanged: false, application_id: &store, scope: "profile openid", of_user: true };
        for (shown, expected) in [
            (good, Ok(())),
            (ShownActor { application_id: &console, ..good }, Ok(())),
            (ShownActor { application_id: &stranger, ..good }, Err(ActorRefusal::NotAccepted)),
            (ShownActor { exchanged: true, ..good }, Err(ActorRefusal::NotAccepted)),
            (ShownActor { of_user: false, ..good }, Err(ActorRefusal::NotAccepted)),
            (ShownActor { scope: "profile openid2", ..good }, Err(ActorRefusal::WithoutOpenid)),
            (ShownActor { scope: "", application_id: &stranger, ..good }, Err(ActorRefusal::NotAccepted)),
        ] {
            assert_eq!(accept_actor(&store, &metadata, shown), expected, "{shown:?}");
        }
    }
}
