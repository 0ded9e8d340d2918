//! A grant that was decided: who gets what, by what right, and what was shown for it.

use super::ORGANIZATION_AUDIENCE;
use super::authorization_cache::{Client, Snapshot};
use crate::domain::id::{OrganizationId, SubjectTokenId, UserId};
use crate::domain::origin::Origin;
use crate::storage::SharedDocument;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A grant that was decided: who gets what, and by what right.
pub struct Decision {
    /// What was true when it was decided.
    pub snapshot: Arc<Snapshot>,
    /// The application that asks.
    pub client: Arc<Client>,
    /// The grant type as sent.
    pub grant_type: &'static str,
    /// Whom the token represents.
    pub subject: Subject,
    /// What stands in `aud`; nothing gives an opaque token for this issuer's own endpoints.
    pub audience: Option<String>,
    /// The organization: id and `context.organization`, JSON.
    pub organization: Option<(OrganizationId, Arc<str>)>,
    /// What is granted.
    pub scope: String,
    /// Seconds.
    pub lifetime: i64,
    /// Whether plugins are asked: never for the Management API (`docs/decisions/where-plugins-run.md`).
    pub plugins: bool,
    /// What the audit log says beside the usual.
    pub audit: Map<String, Value>,
    /// Where the request came from.
    pub origin: Origin,
}

impl Decision {
    /// Whether it is for an organization, and for no resource.
    pub(super) fn is_organization_token(&self) -> bool {
        self.audience.as_deref().is_some_and(|audience| audience.starts_with(ORGANIZATION_AUDIENCE))
    }
}

/// Whom a token represents.
pub enum Subject {
    /// The application itself.
    Application,
    /// A user.
    User(Box<UserSubject>),
}

/// A user whom a token represents, and how that came about.
pub struct UserSubject {
    /// The user, with the revision at which they were looked at.
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// `context.user`, JSON.
    pub context: Arc<str>,
    /// The acting user.
    pub actor: Option<Actor>,
    /// What the application showed of them at an exchange.
    pub shown: Option<Shown>,
}

/// What stands for a user at an exchange.
pub enum Shown {
    /// A subject token, which is consumed.
    SubjectToken {
        /// Its id.
        id: SubjectTokenId,
        /// Its context.
        context: SharedDocument,
    },
    /// A personal access token, which lasts.
    PersonalAccessToken {
        /// Its hash.
        hash: String,
    },
}

impl UserSubject {
    /// The subject token that was shown: id and context.
    pub(super) fn subject_token(&self) -> Option<(&SubjectTokenId, &SharedDocument)> {
        match &self.shown {
            Some(Shown::SubjectToken { id, context }) => Some((id, context)),
            _ => None,
        }
    }

    /// The hash of the personal access token that was shown.
    pub(super) fn personal_access_token(&self) -> Option<&String> {
        match &self.shown {
            Some(Shown::PersonalAccessToken { hash }) => Some(hash),
            _ => None,
        }
    }
}

/// A user who acts, as their token says.
pub struct Actor {
    /// The user, with the revision at which they were looked at.
    pub id: UserId,
    /// See `id`.
    pub revision: i64,
    /// The `jti` of that token: it has to be live still when the new one is written.
    pub jti: String,
}
