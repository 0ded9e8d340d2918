//! The decisions of the token endpoint: what each grant loads, checks, and issues or refuses; and the preview of a
//! token, which is decided alike.

mod authorization_code;
pub mod authorization_request;
mod client_credentials;
mod device_code;
mod organization;
mod parameters;
pub mod preview;
mod refresh_token;
mod refusal;
mod resource;
mod sign_in;
mod token_exchange;

pub use parameters::RequestParameters;
pub use refusal::{GrantErrorCode, GrantRefusal};

use crate::interaction::rows::{self, RowCaller};
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::UserId;
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{self, Client, Found, IssuanceRefusal, IssuedTokens, Presented, Snapshot};
use claimsmith_storage::Tx;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The approximate bytes of a token's rows: itself, what it replaces, and its entry in the audit log.
const REPEATED_TOKEN_BYTES: usize = 1024;

/// A token request whose client is authenticated.
pub struct TokenRequest<'r> {
    /// The server's parts.
    pub app: &'r App,
    /// The parameters.
    pub parameters: &'r RequestParameters,
    /// Where the request comes from.
    pub origin: &'r RequestOrigin,
    /// The authenticated client.
    pub client: Arc<Client>,
    /// The authorization data by which the grant is decided.
    pub snapshot: Arc<Snapshot>,
    /// What the database has of the credential that the request presents.
    pub found: Found,
    /// What the audit log records of the request, for success and refusal alike.
    pub audit: Map<String, Value>,
    /// The time of the request, Unix milliseconds.
    pub now: i64,
}

impl TokenRequest<'_> {
    /// Counts a token that this user gets with a reusable credential.
    fn count_repeated(&self, user_id: &UserId) -> Result<(), GrantRefusal> {
        let caller = RowCaller { client_id: Some(&self.client.application.id), user_id: Some(user_id) };
        let taken = rows::take(self.app, RowKind::Tokens, self.origin, caller, REPEATED_TOKEN_BYTES);
        taken.map_err(|_| GrantRefusal::Unavailable)
    }
}

/// The reason that a grant gave no token.
pub enum GrantFailure {
    /// The request is refused.
    Refused(GrantRefusal),
    /// Data that the grant depends on changed while it ran: it has to be decided again on the current data.
    Stale,
}

impl<E: Into<GrantRefusal>> From<E> for GrantFailure {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// The credential that a request presents, which is read together with the revision of the authorization data.
#[must_use]
pub fn presented(parameters: &RequestParameters) -> Presented {
    let first = |name: &str| parameters.all(name).next();
    let presented = match first("grant_type").and_then(GrantType::parse) {
        Some(GrantType::AuthorizationCode) => first("code").map(tokens::hash).map(Presented::Code),
        Some(GrantType::RefreshToken) => first("refresh_token").map(tokens::hash).map(Presented::RefreshToken),
        _ => token_exchange::shown_hash(parameters).map(Presented::SubjectToken),
    };
    presented.unwrap_or(Presented::Nothing)
}

/// Issues the tokens of a request by this grant.
pub async fn issue(grant_type: GrantType, request: TokenRequest<'_>, tx: Tx) -> Result<IssuedTokens, GrantFailure> {
    match grant_type {
        GrantType::ClientCredentials => client_credentials::grant(request, tx).await,
        GrantType::TokenExchange => token_exchange::grant(request, tx).await,
        GrantType::AuthorizationCode => authorization_code::grant(request, tx).await,
        GrantType::RefreshToken => refresh_token::grant(request, tx).await,
        GrantType::DeviceCode => device_code::grant(request, tx).await,
        GrantType::Operator => Err(GrantRefusal::unsupported_grant_type().into()),
    }
}

/// The client's error for a refused issuance.
fn failure_of(refusal: IssuanceRefusal, spent: fn() -> GrantRefusal) -> GrantFailure {
    match refusal {
        IssuanceRefusal::Stale => GrantFailure::Stale,
        IssuanceRefusal::Spent => GrantFailure::Refused(spent()),
        IssuanceRefusal::Denied { message, by } => {
            GrantFailure::Refused(GrantRefusal::Plugin { message: Some(message), by })
        }
        IssuanceRefusal::PluginFailed(by) => {
            let (plugin, outcome) = (&by.plugin, &by.outcome);
            tracing::warn!(plugin, outcome, "token refused: a plugin failed, and its failure policy is deny");
            GrantFailure::Refused(GrantRefusal::Plugin { message: None, by })
        }
        IssuanceRefusal::Failed(error) => GrantFailure::Refused(error.into()),
    }
}
