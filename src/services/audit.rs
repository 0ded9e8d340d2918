//! Builds entries of the audit log, in the same form for every caller: what happened, who did it, and where the request
//! came from.

use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_domain::random::{self, RandomError};
use claimsmith_storage::Json;
use claimsmith_storage::audit::StoredAuditEntry;
use serde_json::{Map, Value, json};

/// The actor.
#[derive(Clone, Debug)]
pub enum Actor {
    /// An application, by its own token or its secret.
    Application {
        /// Its id.
        id: ApplicationId,
    },
    /// A user, by a token that an application got for them.
    User {
        /// The user.
        id: UserId,
        /// The application.
        application_id: ApplicationId,
    },
    /// A user at their own account: by the Account API or at its page.
    Owner {
        /// Whose account it is.
        id: UserId,
        /// The application whose token was used.
        application_id: Option<ApplicationId>,
    },
    /// The owner of the machine, at the terminal.
    Operator,
    /// The server, by itself.
    Server,
}

impl Actor {
    /// The application that made the request, if it was one.
    #[must_use]
    pub fn application_id(&self) -> Option<&str> {
        match self {
            Self::Application { id } => Some(id),
            Self::User { application_id, .. } => Some(application_id),
            Self::Owner { application_id, .. } => application_id.as_deref(),
            Self::Operator | Self::Server => None,
        }
    }

    /// The id of the caller: the user's, or else the application's.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Application { id } => Some(id),
            Self::User { id, .. } | Self::Owner { id, .. } => Some(id),
            Self::Operator | Self::Server => None,
        }
    }
}

/// An entry under construction: `{key, result, error?, applicationId?, ip?, userAgent?, requestId?, …}`.
#[derive(Clone, Debug)]
pub struct Entry {
    key: AuditKey,
    payload: Map<String, Value>,
}

impl Entry {
    /// A success. `details` must not have secrets, and cannot override the recorded actor.
    #[must_use]
    pub fn success(key: AuditKey, details: Value) -> Self {
        Self::new(key, "Success", details)
    }

    /// A refusal, with the code and the message that the client gets.
    #[must_use]
    pub fn refused(key: AuditKey, code: &str, message: &str) -> Self {
        Self::new(key, "Error", json!({ "error": { "code": code, "message": message } }))
    }

    fn new(key: AuditKey, result: &str, details: Value) -> Self {
        let mut payload = match details {
            Value::Object(details) => details,
            _ => Map::new(),
        };
        payload.insert("key".to_owned(), json!(key.text()));
        payload.insert("result".to_owned(), json!(result));
        Self { key, payload }
    }

    /// With a further detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.payload.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the actor.
    #[must_use]
    pub fn by(self, actor: &Actor) -> Self {
        let entry = match actor {
            Actor::Operator => self.with("by", "operator"),
            Actor::Owner { id, .. } => self.with("by", "user").with("userId", id.as_str()),
            // `userId` is the user that was acted on.
            Actor::User { id, .. } => self.with("byUserId", id.as_str()),
            Actor::Application { .. } | Actor::Server => self,
        };
        match actor.application_id() {
            Some(id) => entry.with("applicationId", id),
            None => entry,
        }
    }

    /// Adds the origin of the request.
    #[must_use]
    pub fn from(mut self, origin: &RequestOrigin) -> Self {
        let facts = [
            ("requestId", origin.request_id.as_ref().map(|id| json!(id))),
            ("ip", origin.ip.map(|ip| json!(ip))),
            ("userAgent", origin.user_agent.as_ref().map(|agent| json!(agent))),
        ];
        for (name, fact) in facts {
            self.payload.extend(fact.map(|fact| (name.to_owned(), fact)));
        }
        self
    }

    /// The row, with this time: Unix milliseconds.
    pub fn at(self, now: i64) -> Result<StoredAuditEntry, RandomError> {
        Ok(StoredAuditEntry {
            id: random::id_at(now)?,
            key: self.key.text().to_owned(),
            payload: Json(Value::Object(self.payload)),
            created_at: now,
        })
    }
}
