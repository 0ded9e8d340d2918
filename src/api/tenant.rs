//! The member `tenantId`, which the reference API has everywhere.

use claimsmith_domain::documents::schema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IgnoredAny};
use std::borrow::Cow;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Always `default`: a server has one tenant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tenant;

impl Tenant {
    /// Its id.
    pub const ID: &'static str = "default";
}

impl Serialize for Tenant {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(Self::ID)
    }
}

impl<'de> Deserialize<'de> for Tenant {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(input).map(|_| Self)
    }
}

impl PartialSchema for Tenant {
    fn schema() -> RefOr<Schema> {
        schema::text(0, None)
    }
}

impl ToSchema for Tenant {
    fn name() -> Cow<'static, str> {
        schema::inline("Tenant")
    }
}
