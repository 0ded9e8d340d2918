//! The body of a PATCH whose nested objects are changed member by member (`documents/patch.rs`). Other members are
//! checked before a transaction begins; nested objects are read once the handler has the previous value.

use super::json::{deserialize, members_of};
use crate::error::ApiError;
use axum::extract::{FromRequest, Request};
use claimsmith_domain::documents::patch::Patch;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// The body.
pub struct PatchBody<T> {
    members: Map<String, Value>,
    of: PhantomData<fn() -> T>,
}

impl<T: Patch> PatchBody<T> {
    /// What is to be written: its objects have what it does not name from `before`.
    pub fn over(&self, before: &Value) -> Result<T, ApiError> {
        over(self.members.clone(), before)
    }
}

/// The same for a part of a body.
pub fn over<T: Patch>(members: Map<String, Value>, before: &Value) -> Result<T, ApiError> {
    deserialize(Value::Object(T::MERGED.completed(members, before)))
}

impl<T: Patch, S: Send + Sync> FromRequest<S> for PatchBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let members = members_of(request).await?;
        let mut others = members.clone();
        others.retain(|name, value| !T::MERGED.completes(name, value));
        deserialize::<T>(Value::Object(others))?;
        Ok(Self { members, of: PhantomData })
    }
}
