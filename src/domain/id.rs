//! Id types, one per kind, so that the compiler refuses the id of an organization in place of that of a user. In JSON,
//! in columns and in messages an id is its text.

use crate::documents::schema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! ids {
    ($($(#[doc = $about:literal])+ $name:ident,)+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.0 == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.0 == *text
            }
        }

        impl PartialEq<$name> for str {
            fn eq(&self, id: &$name) -> bool {
                self == id.0
            }
        }

        impl PartialEq<$name> for &str {
            fn eq(&self, id: &$name) -> bool {
                *self == id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, formatter)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                schema::text(0, None)
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                schema::inline("Id")
            }
        }

        /// Plain text, because messages quote ids.
        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, formatter)
            }
        }
    )+};
}

ids! {
    /// The id of a user.
    UserId,
    /// The id of an application: its `client_id`.
    ApplicationId,
    /// The id of an organization.
    OrganizationId,
    /// The id of an organization role.
    OrganizationRoleId,
    /// The id of an organization scope.
    OrganizationScopeId,
    /// The id of an invitation to an organization.
    InvitationId,
    /// The id of a role.
    RoleId,
    /// The id of an API resource; not its indicator.
    ResourceId,
    /// The id of a scope of an API resource.
    ScopeId,
    /// The id of a subject token; not the token.
    SubjectTokenId,
    /// The id of a second factor of a user.
    FactorId,
    /// The id of a hook.
    HookId,
    /// The id of a test receiver of hooks; not the token in its URL.
    HookReceiverId,
    /// The id of a delivery: its `webhook-id`.
    DeliveryId,
    /// The id of a session: the `sid` of its ID tokens; not the cookie.
    SessionId,
    /// The id of an interaction; not the cookie.
    InteractionId,
    /// The id of a grant.
    GrantId,
    /// The id of a device authorization; neither of its codes.
    DeviceAuthorizationId,
    /// The id of a connector; not of its factory.
    ConnectorId,
    /// The id of an enterprise connector.
    SsoConnectorId,
    /// The id of a message to a user.
    MessageId,
    /// The id of an email template.
    EmailTemplateId,
    /// The id of a verification record.
    VerificationRecordId,
    /// The id of an uploaded picture: an unguessable part of its URL.
    AvatarId,
    /// The id of a trusted device; not the cookie.
    TrustedDeviceId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_text_wherever_it_is_seen() -> Result<(), serde_json::Error> {
        let id = UserId::from("q3v8k1znw2pd");
        assert_eq!(format!("{id} {id:?}"), "q3v8k1znw2pd \"q3v8k1znw2pd\"");
        assert_eq!(serde_json::to_string(&id)?, "\"q3v8k1znw2pd\"");
        assert_eq!(serde_json::from_str::<UserId>("\"q3v8k1znw2pd\"")?, id);
        Ok(())
    }
}
