//! What is built in for the console, and nobody changes: its resource with its scopes, its four roles, and the
//! applications of the server's own (`docs/decisions/people-who-administer.md`).

use claimsmith_domain::console::{built_in, roles};
use claimsmith_domain::id::{ApplicationId, ResourceId, RoleId};
use claimsmith_web::error::ApiError;

/// Refuses the console's resource.
pub(super) fn refuse_resource(id: &ResourceId) -> Result<(), ApiError> {
    let message = "The console's own resource and its scopes cannot be changed, or given to other roles.";
    if *id == *built_in::RESOURCE_ID { Err(refusal(message)) } else { Ok(()) }
}

/// Refuses the console's roles.
pub(super) fn refuse_role(id: &RoleId) -> Result<(), ApiError> {
    let message = "The console's own roles cannot be changed, or given to applications.";
    if roles::is_role(id) { Err(refusal(message)) } else { Ok(()) }
}

/// Refuses the applications of the server's own.
pub(super) fn refuse_application(id: &ApplicationId) -> Result<(), ApiError> {
    let message = "The server's own applications cannot be changed.";
    if built_in::is_client(id) { Err(refusal(message)) } else { Ok(()) }
}

fn refusal(message: &str) -> ApiError {
    ApiError::unprocessable("console.built_in", message)
}
