//! Objects of the console that the API cannot change: its resource and scopes, its four roles, and the server's own
//! applications (`docs/decisions/people-who-administer.md`).

use super::AccessRefusal;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::console::{built_in, roles};
use claimsmith_domain::id::{ApplicationId, ResourceId, RoleId};

/// Refuses changes of the console's resource.
pub fn refuse_resource(id: &ResourceId) -> Result<(), AccessRefusal> {
    let message = "The console's own resource and its scopes cannot be changed, or given to other roles.";
    if *id == *built_in::RESOURCE_ID { Err(refusal(message)) } else { Ok(()) }
}

/// Refuses changes of the console's roles.
pub fn refuse_role(id: &RoleId) -> Result<(), AccessRefusal> {
    let message = "The console's own roles cannot be changed, or given to applications.";
    if roles::is_role(id) { Err(refusal(message)) } else { Ok(()) }
}

/// Refuses changes of the server's own applications.
pub fn refuse_application(id: &ApplicationId) -> Result<(), AccessRefusal> {
    let message = "The server's own applications cannot be changed.";
    if built_in::is_client(id) { Err(refusal(message)) } else { Ok(()) }
}

fn refusal(message: &'static str) -> AccessRefusal {
    AccessRefusal::Denied(ApiCode::ConsoleBuiltIn, message)
}
