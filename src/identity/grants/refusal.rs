//! The reasons that a grant is refused (RFC 6749 section 5.2, `docs/decisions/token-endpoint-errors.md`).

use claimsmith_services::tokens::RefusedBy;
use std::borrow::Cow;
use std::error::Error;

/// The reason that a request has no tokens.
#[derive(Debug)]
pub enum GrantRefusal {
    /// The request is refused.
    Denied {
        /// The error code.
        code: GrantErrorCode,
        /// The description for developers of clients.
        description: Cow<'static, str>,
        /// Additional details for the operator, which the client does not get.
        detail: Option<&'static str>,
    },
    /// A plugin denied the token, or failed and its failure policy is `deny`.
    Plugin {
        /// What a denial says to the application; `None` for a failure, of which it is told nothing.
        message: Option<String>,
        /// Which plugin, for the audit log.
        by: Box<RefusedBy>,
    },
    /// The server failed, and the log has the reason already.
    Broken,
    /// The server is too busy, or the authorization data kept changing.
    Unavailable,
    /// The server failed with this error.
    Failed(Box<dyn Error + Send + Sync>),
}

/// The error code of a refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantErrorCode {
    /// The user, or a plugin, denied the request.
    AccessDenied,
    /// The user has not approved the device yet (RFC 8628 section 3.5).
    AuthorizationPending,
    /// The device code has expired (RFC 8628 section 3.5).
    ExpiredToken,
    /// The grant lacks a scope.
    InsufficientScope,
    /// A code, device code or refresh token is not valid, or not this client's.
    InvalidGrant,
    /// A parameter is missing, repeated or malformed, or a token in it is not valid.
    InvalidRequest,
    /// The scope parameter is malformed, or asks for more than was granted.
    InvalidScope,
    /// The resource is missing, repeated, malformed or unknown (RFC 8707).
    InvalidTarget,
    /// The subject does not belong to the organization.
    NotAMember,
    /// The device asks too often (RFC 8628 section 3.5).
    SlowDown,
    /// The application may not use the grant.
    UnauthorizedClient,
    /// The server has no such grant.
    UnsupportedGrantType,
}

impl GrantErrorCode {
    /// The code in responses.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::AccessDenied | Self::NotAMember => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::ExpiredToken => "expired_token",
            Self::InsufficientScope => "insufficient_scope",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::SlowDown => "slow_down",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
        }
    }

    /// Whether the request is valid, but its subject lacks a right.
    #[must_use]
    pub fn is_forbidden(self) -> bool {
        matches!(self, Self::InsufficientScope | Self::NotAMember)
    }
}

impl GrantRefusal {
    fn new(code: GrantErrorCode, description: impl Into<Cow<'static, str>>) -> Self {
        Self::Denied { code, description: description.into(), detail: None }
    }

    /// A parameter is missing, repeated or malformed, or a token in it is not valid.
    #[must_use]
    pub fn invalid_request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GrantErrorCode::InvalidRequest, description)
    }

    /// A required parameter is missing.
    pub(super) fn missing(name: &str) -> Self {
        Self::invalid_request(format!("missing required parameter '{name}'"))
    }

    /// The application may not use the grant.
    pub(super) fn unauthorized_client() -> Self {
        Self::new(GrantErrorCode::UnauthorizedClient, "requested grant type is not allowed for this client")
    }

    /// The server has no such grant.
    #[must_use]
    pub fn unsupported_grant_type() -> Self {
        Self::new(GrantErrorCode::UnsupportedGrantType, "unsupported grant_type requested")
    }

    /// The scope parameter is malformed.
    pub(super) fn invalid_scope() -> Self {
        Self::new(GrantErrorCode::InvalidScope, "scope contains invalid characters")
    }

    /// A refresh asks for more than was granted.
    pub(super) fn scope_not_granted() -> Self {
        Self::new(GrantErrorCode::InvalidScope, "refresh token missing requested scope")
    }

    /// The grant lacks this scope, which the operator is told.
    pub(super) fn insufficient_scope(scope: &'static str) -> Self {
        let description = "refresh token missing required scope".into();
        Self::Denied { code: GrantErrorCode::InsufficientScope, description, detail: Some(scope) }
    }

    /// The resource is repeated or malformed, or cannot be the target of this grant.
    pub(super) fn invalid_target(description: &'static str) -> Self {
        Self::new(GrantErrorCode::InvalidTarget, description)
    }

    /// The resource is missing, unknown or not permitted; the response does not reveal which, `detail` does to the
    /// operator.
    pub(super) fn no_such_target(detail: &'static str) -> Self {
        let description = "resource indicator is missing, or unknown".into();
        Self::Denied { code: GrantErrorCode::InvalidTarget, description, detail: Some(detail) }
    }

    /// A code, device code or refresh token is not valid, or not this client's.
    pub(super) fn invalid_grant() -> Self {
        Self::new(GrantErrorCode::InvalidGrant, "grant request is invalid")
    }

    /// The user has not approved the device yet.
    pub(super) fn authorization_pending() -> Self {
        Self::new(GrantErrorCode::AuthorizationPending, "authorization request is still pending")
    }

    /// The device asks too often.
    pub(super) fn slow_down() -> Self {
        let description = "the device asks too often; from now on it has to wait five seconds longer each time";
        Self::new(GrantErrorCode::SlowDown, description)
    }

    /// The device code has expired.
    pub(super) fn expired_token() -> Self {
        Self::new(GrantErrorCode::ExpiredToken, "the device code has expired")
    }

    /// The user or a plugin denied the request; the text may be the plugin's.
    #[must_use]
    pub fn denied(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(GrantErrorCode::AccessDenied, message)
    }

    /// The subject does not belong to the organization.
    pub(super) fn not_a_member(description: &'static str) -> Self {
        Self::new(GrantErrorCode::NotAMember, description)
    }
}

crate::from_failures!(GrantRefusal, |error| Self::Failed(Box::new(error)));
