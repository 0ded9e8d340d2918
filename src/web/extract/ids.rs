//! Ids in paths, as the type that the handler names. A malformed id (too long, NUL, not UTF-8) is 404, like any
//! unknown id.

use crate::error::ApiError;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use claimsmith_domain::api_code::ApiCode;
use std::convert::Infallible;

/// The most characters of an id or a name.
const MAX_ID_CHARS: usize = 128;

/// The only parameter of a path.
pub struct Id<A = String>(pub A);

/// The name, as the only parameter of a path, of what may be made. What cannot be a name is the handler's to refuse.
pub struct NewName(pub String);

/// The two parameters of a path.
pub struct IdPair<A = String, B = String>(pub A, pub B);

/// The three parameters of a path.
pub struct IdTriple<A, B, C>(pub A, pub B, pub C);

impl<S: Send + Sync, A: From<String>> FromRequestParts<S> for Id<A> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let [id] = ids(parts, state).await?;
        Ok(Self(id.into()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for NewName {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        // What is not UTF-8 is no name, like none at all.
        Ok(Self(params.ok().and_then(|params| Some(params.iter().next()?.1.to_owned())).unwrap_or_default()))
    }
}

impl<S: Send + Sync, A: From<String>, B: From<String>> FromRequestParts<S> for IdPair<A, B> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let [first, second] = ids(parts, state).await?;
        Ok(Self(first.into(), second.into()))
    }
}

impl<S, A, B, C> FromRequestParts<S> for IdTriple<A, B, C>
where
    S: Send + Sync,
    A: From<String>,
    B: From<String>,
    C: From<String>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let [first, second, third] = ids(parts, state).await?;
        Ok(Self(first.into(), second.into(), third.into()))
    }
}

async fn ids<const N: usize, S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<[String; N], ApiError> {
    let nothing = || ApiError::new(ApiCode::EntityNotFound, "There is no entity with this id.");
    let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| nothing())?;
    let ids: Vec<String> = params.iter().map(|(_, value)| value.to_owned()).collect();
    if ids.iter().any(|id| id.chars().count() > MAX_ID_CHARS || id.contains('\0')) {
        return Err(nothing());
    }
    ids.try_into().map_err(|_| nothing())
}
