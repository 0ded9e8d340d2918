//! Issuing and verifying tokens.
//!
//! [`AuthorizationCache`] has the data for authorization decisions, [`Issuer`] is the one pipeline (plugins, claims,
//! signature, write), [`access::check`] verifies tokens, [`IdToken`] is signed beside an access token, [`LogoutToken`]
//! when a session ends. Signing keys are in [`keys`] and [`KeyRing`].

pub mod access;
pub mod context;
pub mod keys;
pub mod operator;
pub mod user_claims;

mod algorithm;
mod arrival_rate;
mod authorization_cache;
mod backpressure;
mod batch;
mod claims;
mod commit_delay;
mod decision;
mod error;
mod group_commit;
mod id_token;
mod issue;
mod issued;
mod key_ring;
mod logout_token;
mod preview;
mod record;
mod refresh_family;
mod request_state;
mod shared_change;
mod subject_token;
mod user_facts;
mod versions;

pub use algorithm::{Algorithm, KeyError, generate_key, public_jwk};
pub use authorization_cache::{AuthorizationCache, Client, Snapshot};
pub use backpressure::{Backpressure, Hold};
pub use decision::{
    ActingParty, Decision, PresentedCredential, RefreshTokenAnswer, SignInCredential, SignInGrant, Subject, UserSubject,
};
pub use error::Error;
pub use group_commit::GroupCommit;
pub use id_token::IdToken;
pub use issue::{IssuanceRefusal, IssuedTokens, Issuer, RefusedBy, hash};
pub use key_ring::{Hint, KeyRing};
pub use logout_token::LogoutToken;
pub use preview::{PluginRefusal, PreviewQuestion, PreviewedToken};
pub use refresh_family::FamilyKey;
pub use request_state::{Found, Presented, PresentedBrowser, RequestState, RequestStates};
pub use shared_change::SharedChange;
pub use subject_token::{CheckedUser, NewSubjectToken, SubjectTokenWritten};
pub use user_facts::UserFacts;

/// The name of an application's first secret.
pub const DEFAULT_SECRET: &str = "Default secret";
/// The prefix of the `aud` of organization tokens, before the organization's id. No resource can have this prefix.
pub const ORGANIZATION_AUDIENCE: &str = "urn:logto:organization:";
/// The `resource` by which libraries for the reference API ask for organizations, beside their scope.
pub const ORGANIZATIONS_RESOURCE: &str = "urn:logto:resource:organizations";
