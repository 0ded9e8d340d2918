//! Privilege escalation guard: only a caller with all rights on the Management API may grant or revoke rights on it.
//! Otherwise a token for managing roles or applications could grant itself everything. The last administrator cannot be
//! removed, and what is built in for the console cannot be changed.

use super::built_in;
use claimsmith_domain::id::{
    ApplicationId, OrganizationRoleId, OrganizationScopeId, ResourceId, RoleId, ScopeId, UserId,
};
use claimsmith_domain::management::{OrganizationsWrite, RolesWrite};
use claimsmith_domain::role;
use claimsmith_storage::resources::{self, Scope};
use claimsmith_storage::roles::named;
use claimsmith_storage::{Tx, applications, roles};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// A secret that ends within this time does not make an administrator: a day, in milliseconds.
const MIN_REMAINING_MS: i64 = 24 * 3_600_000;

/// The id of the Management API's own resource.
pub(super) async fn management_resource_id(management: &Caller, tx: &mut Tx) -> Result<Option<ResourceId>, ApiError> {
    let indicator = &management.app.config.tokens.management_resource;
    Ok(resources::find_by_indicator(tx, indicator).await?.map(|resource| resource.id))
}

/// Whether one of the scopes is of the Management API. Refuses those to callers who do not hold it all, and those of the
/// console to everybody: its own four roles alone carry them.
pub(super) async fn check_scopes(management: &Caller, tx: &mut Tx, scopes: &[Scope]) -> Result<bool, ApiError> {
    for scope in scopes {
        built_in::refuse_resource(&scope.resource_id)?;
    }
    let resource_id = management_resource_id(management, tx).await?;
    let opens = scopes.iter().any(|scope| Some(&scope.resource_id) == resource_id.as_ref());
    if opens {
        management.demand_all()?;
    }
    Ok(opens)
}

/// Refuses to give to machines, take from them, change or delete a role with scopes of the Management API, or one of the
/// server's own, to callers who do not hold it all, and the console's roles to everybody.
pub(super) async fn check_role(management: &Caller, tx: &mut Tx, role_id: &RoleId) -> Result<(), ApiError> {
    built_in::refuse_role(role_id)?;
    let role = roles::find(tx, role_id).await?;
    if role.is_some_and(|role| role::is_internal(&role.name)) {
        management.demand_all()?;
    }
    let scopes = resources::scopes_of_role(tx, role_id).await?;
    check_scopes(management, tx, &scopes).await.map(drop)
}

/// Refuses to rename a scope of a resource that roles carry to callers who could not grant it: whoever holds it would hold
/// the scope that other roles carry under the new name.
pub(super) async fn check_scope_renamed(management: &Caller, tx: &mut Tx, id: &ScopeId) -> Result<(), ApiError> {
    let by_roles = named::is_carried(tx, id).await?;
    let in_organizations = named::is_carried_in_organizations(tx, id).await?;
    let may = (!by_roles || management.holds::<RolesWrite>())
        && (!in_organizations || management.holds::<OrganizationsWrite>());
    if !may {
        let message = "Roles carry this scope: renaming it needs the right to change roles (roles:write, and \
            organizations:write where organization roles carry it).";
        return Err(ApiError::forbidden(message));
    }
    if by_roles || in_organizations { management.demand_recent() } else { Ok(()) }
}

/// The same for an organization scope, whose operations have the right to change organization roles already.
pub(super) async fn check_organization_scope_renamed(
    management: &Caller,
    tx: &mut Tx,
    id: &OrganizationScopeId,
) -> Result<(), ApiError> {
    if named::is_organization_scope_carried(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// The same for a role that is held: tokens and plugins name it.
pub(super) async fn check_role_renamed(management: &Caller, tx: &mut Tx, id: &RoleId) -> Result<(), ApiError> {
    if named::is_held(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// The same for an organization role.
pub(super) async fn check_organization_role_renamed(
    management: &Caller,
    tx: &mut Tx,
    id: &OrganizationRoleId,
) -> Result<(), ApiError> {
    if named::is_organization_role_held(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// Whether an application holds scopes of the Management API through its roles.
pub(super) async fn opens_management(
    management: &Caller,
    tx: &mut Tx,
    application_id: &ApplicationId,
) -> Result<bool, ApiError> {
    let Some(resource_id) = management_resource_id(management, tx).await? else { return Ok(false) };
    let held = applications::scopes_held(tx, application_id).await?;
    Ok(held.iter().any(|scope| scope.resource_id == resource_id))
}

/// Refuses to change or delete an application that holds scopes of the Management API, or its keys, to callers who do
/// not hold it all, and one of the server's own to everybody.
pub(super) async fn check_application(
    management: &Caller,
    tx: &mut Tx,
    application_id: &ApplicationId,
) -> Result<(), ApiError> {
    built_in::refuse_application(application_id)?;
    let Err(refusal) = management.demand_all() else { return Ok(()) };
    if opens_management(management, tx, application_id).await? { Err(refusal) } else { Ok(()) }
}

/// Refuses to change somebody who administers this server, to act as them, or to let anybody in as them, to callers who
/// do not administer it themselves.
pub(super) async fn check_user(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<(), ApiError> {
    let Err(refusal) = management.demand_administrator() else { return Ok(()) };
    if administers(management, tx, user_id).await? { Err(refusal) } else { Ok(()) }
}

/// Whether a user administers this server.
pub(super) async fn administers(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<bool, ApiError> {
    Ok(roles::console::is_held_by(tx, user_id, &management.app.config.tokens.management_resource).await?)
}

/// Until when the Management API is administered, by a change that may bring that forward.
pub(super) struct Administered(Option<i64>);

impl Administered {
    /// Before the change, in a transaction that holds the revision: two changes at once queue there.
    pub(super) async fn before(management: &Caller, tx: &mut Tx) -> Result<Self, ApiError> {
        Ok(Self(roles::administrators::until(tx, &management.app.config.tokens.management_resource).await?))
    }

    /// After the change: refuses it if nobody administers the Management API any more, or soon nobody will.
    pub(super) async fn check(self, management: &Caller, tx: &mut Tx) -> Result<(), ApiError> {
        let Self(before) = self;
        let needed = before.map(|until| until.min(management.now() + MIN_REMAINING_MS));
        let after = roles::administrators::until(tx, &management.app.config.tokens.management_resource).await?;
        if after < needed {
            let message = "This would leave no machine-to-machine application with a secret or a key and a role that \
                 carries all of the Management API. Make another one an administrator first.";
            return Err(ApiError::unprocessable("application.last_administrator", message));
        }
        Ok(())
    }
}
