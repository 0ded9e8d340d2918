//! Errors of the organization routes. A related object that does not exist is 422 here, and 404 in other routes.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_storage as storage;
use claimsmith_web::error::ApiError;

/// 422: an entity that the request refers to does not exist.
pub(super) fn missing(kind: &str) -> ApiError {
    let message = format!("The {kind} that the request refers to does not exist.");
    ApiError::new(ApiCode::EntityRelationForeignKeyNotFoundOfOrganization, message)
}

/// 422: an object with this name, or a link between these two, exists already.
pub(super) fn taken(message: &str) -> ApiError {
    ApiError::new(ApiCode::EntityUniqueIntegrityViolation, message)
}

/// 422: the two objects do not match.
pub(super) fn unfit(message: &str) -> ApiError {
    ApiError::new(ApiCode::EntityDbConstraintViolated, message)
}

/// The error of a write that refers to other rows.
pub(super) fn from_write(error: storage::Error, kind: &str) -> ApiError {
    match error {
        storage::Error::Missing => missing(kind),
        other => other.into(),
    }
}

/// The error of a write of a unique name.
pub(super) fn from_naming(error: storage::Error, kind: &str) -> ApiError {
    match error {
        storage::Error::Conflict => taken(&format!("There is an {kind} of this name already.")),
        other => other.into(),
    }
}
