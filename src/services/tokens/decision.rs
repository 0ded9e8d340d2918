//! A decided grant: the represented subject, the granted scopes, and the credentials that were presented.

use super::ORGANIZATION_AUDIENCE;
use super::authorization_cache::{Client, Snapshot};
use super::user_facts::UserFacts;
use crate::plugins::TokenKind;
use claimsmith_domain::authorization::request::Authorized;
use claimsmith_domain::console::built_in;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::refresh_token::NewRefreshToken;
use claimsmith_domain::id::{GrantId, OrganizationId, SubjectTokenId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_storage::SharedDocument;
use claimsmith_storage::sessions::refresh_families::RefreshFamily;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A decided grant.
pub struct Decision {
    /// The authorization data of the decision.
    pub snapshot: Arc<Snapshot>,
    /// The application that requests the token.
    pub client: Arc<Client>,
    /// The grant type as sent.
    pub grant_type: GrantType,
    /// The subject that the token represents.
    pub subject: Subject,
    /// The `aud`; without it the token is opaque and for this issuer's own endpoints.
    pub audience: Option<String>,
    /// The organization: id and `context.organization`, JSON.
    pub organization: Option<(OrganizationId, Arc<str>)>,
    /// The granted scopes.
    pub scope: String,
    /// Seconds.
    pub lifetime: i64,
    /// Whether plugins are called: never for the Management API (`docs/decisions/where-plugins-run.md`).
    pub plugins: bool,
    /// Additional members of the audit entry.
    pub audit: Map<String, Value>,
    /// Where the request came from.
    pub origin: RequestOrigin,
}

impl Decision {
    /// The sign-in of the token, with its user.
    pub(super) fn sign_in(&self) -> Option<(&UserSubject, &SignInGrant)> {
        match &self.subject {
            Subject::Application => None,
            Subject::User(user) => Some((user, user.sign_in()?)),
        }
    }

    /// Whether plugins are called. They never run for tokens of the console, so that a broken plugin cannot lock
    /// administrators out (`docs/decisions/people-who-administer.md`).
    pub(super) fn calls_plugins(&self) -> bool {
        self.plugins && !built_in::is_client(&self.client.application.id)
    }

    /// The kind of its access token.
    pub(super) fn access_token_kind(&self) -> TokenKind {
        match self.subject {
            Subject::Application => TokenKind::ClientCredentials,
            Subject::User(_) => TokenKind::AccessToken,
        }
    }

    /// The refresh token of the response.
    pub(super) fn refresh(&self) -> Option<&RefreshTokenAnswer> {
        self.sign_in().and_then(|(_, sign_in)| sign_in.refresh.as_ref())
    }

    /// Whether it is for an organization, without a resource.
    pub(super) fn is_organization_token(&self) -> bool {
        self.audience.as_deref().is_some_and(|audience| audience.starts_with(ORGANIZATION_AUDIENCE))
    }
}

/// The subject of a token.
pub enum Subject {
    /// The application itself.
    Application,
    /// A user.
    User(Box<UserSubject>),
}

/// The user that a token represents, with the presented credentials.
pub struct UserSubject {
    /// The user, with the revision at which they were read.
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// The facts of the decision.
    pub facts: Arc<UserFacts>,
    /// The acting user.
    pub actor: Option<ActingParty>,
    /// The credential that is exchanged.
    pub presented: Option<PresentedCredential>,
}

/// A credential that is exchanged for a token of a user.
pub enum PresentedCredential {
    /// A subject token, which is consumed.
    SubjectToken {
        /// Its id.
        id: SubjectTokenId,
        /// Its context.
        context: SharedDocument,
    },
    /// A personal access token, which is not consumed.
    PersonalAccessToken {
        /// Its hash.
        hash: String,
    },
    /// The credential of a sign-in.
    SignIn(Box<SignInGrant>),
}

/// An authorization code, a device code or a refresh token, which is exchanged for tokens of the signed-in user.
pub struct SignInGrant {
    /// The grant that the user gave the application.
    pub grant_id: GrantId,
    /// The family of all tokens from the same code.
    pub family_id: String,
    /// What was authorized.
    pub authorized: Authorized,
    /// The code, or the refresh token.
    pub credential: SignInCredential,
    /// The refresh token of the response, if there is one.
    pub refresh: Option<RefreshTokenAnswer>,
    /// The claims of the user in the ID token; `None` without `openid`, since there is no ID token.
    pub id_token_claims: Option<Map<String, Value>>,
}

/// The refresh token of a response. Without `Debug`: it contains the token.
pub enum RefreshTokenAnswer {
    /// A random token, the first of its family.
    First(NewRefreshToken),
    /// The successor of the presented token, derived from it.
    Successor {
        /// How long it lives.
        new: NewRefreshToken,
        /// The token.
        token: String,
        /// The family, if it gets its key now.
        family: Option<RefreshFamily>,
    },
    /// The newest token of the family, which is stored already: the presented one was reused within its leeway.
    Newest(String),
}

impl RefreshTokenAnswer {
    /// The token that is stored with this response.
    pub(super) fn new_token(&self) -> Option<NewRefreshToken> {
        match self {
            Self::First(new) | Self::Successor { new, .. } => Some(*new),
            Self::Newest(_) => None,
        }
    }
}

/// The credential of a signed-in user, by its hash.
pub enum SignInCredential {
    /// A code, which is consumed.
    Code(String),
    /// A device code, which is consumed.
    DeviceCode(String),
    /// A refresh token, which is replaced.
    Rotated(String),
    /// A refresh token that is not rotated: the presented one, or the newest of its family.
    Kept(String),
}

impl UserSubject {
    /// The exchanged subject token: id and context.
    pub(super) fn subject_token(&self) -> Option<(&SubjectTokenId, &SharedDocument)> {
        match &self.presented {
            Some(PresentedCredential::SubjectToken { id, context }) => Some((id, context)),
            _ => None,
        }
    }

    /// The code or refresh token, with its grant.
    pub(super) fn sign_in(&self) -> Option<&SignInGrant> {
        match &self.presented {
            Some(PresentedCredential::SignIn(sign_in)) => Some(sign_in),
            _ => None,
        }
    }

    /// Whether it is a token exchange (RFC 8693).
    pub(super) fn is_exchange(&self) -> bool {
        matches!(
            self.presented,
            Some(PresentedCredential::SubjectToken { .. } | PresentedCredential::PersonalAccessToken { .. })
        )
    }

    /// The hash of the exchanged personal access token.
    pub(super) fn personal_access_token(&self) -> Option<&String> {
        match &self.presented {
            Some(PresentedCredential::PersonalAccessToken { hash }) => Some(hash),
            _ => None,
        }
    }
}

/// An actor, from the actor token.
pub struct ActingParty {
    /// The user, with the revision at which they were read.
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// The `jti` of the actor token, which must still be live when the new token is written.
    pub jti: String,
}
