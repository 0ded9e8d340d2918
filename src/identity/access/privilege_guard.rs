//! Privilege escalation guard: only a caller with all rights on the Management API may grant or revoke rights on it.
//! Otherwise a token for managing roles or applications could grant itself everything. The last administrator cannot be
//! removed, and what is built in for the console cannot be changed.

use super::{AccessRefusal, Caller, built_in};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::role;
use claimsmith_domain::id::{
    ApplicationId, OrganizationRoleId, OrganizationScopeId, ResourceId, RoleId, ScopeId, UserId,
};
use claimsmith_domain::management::{OrganizationsWrite, RolesWrite};
use claimsmith_storage::resources::{self, Scope};
use claimsmith_storage::roles::named;
use claimsmith_storage::{Tx, applications, roles};

/// An application whose secret expires within this time does not count as an administrator: a day, in milliseconds.
const MIN_REMAINING_MS: i64 = 24 * 3_600_000;

/// The id of the Management API's own resource.
pub async fn management_resource_id(management: &Caller, tx: &mut Tx) -> Result<Option<ResourceId>, AccessRefusal> {
    let indicator = &management.app.config.tokens.management_resource;
    Ok(resources::find_by_indicator(tx, indicator).await?.map(|resource| resource.id))
}

/// Whether one of the scopes is of the Management API. Refuses those unless the caller has all of it, and refuses
/// scopes of the console to all callers: only its four roles have them.
pub async fn check_scopes(management: &Caller, tx: &mut Tx, scopes: &[Scope]) -> Result<bool, AccessRefusal> {
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

/// Guards a role against being granted to or removed from applications, changed or deleted: one with scopes of the
/// Management API or a built-in one needs a caller with all of the API, and roles of the console are refused.
pub async fn check_role(management: &Caller, tx: &mut Tx, role_id: &RoleId) -> Result<(), AccessRefusal> {
    built_in::refuse_role(role_id)?;
    let role = roles::find(tx, role_id).await?;
    if role.is_some_and(|role| role::is_internal(&role.name)) {
        management.demand_all()?;
    }
    let scopes = resources::scopes_of_role(tx, role_id).await?;
    check_scopes(management, tx, &scopes).await.map(drop)
}

/// Refuses to rename a scope that roles have to callers who may not grant it: under the new name, holders of these
/// roles would get a scope that the caller cannot give them.
pub async fn check_scope_renamed(management: &Caller, tx: &mut Tx, id: &ScopeId) -> Result<(), AccessRefusal> {
    let by_roles = named::is_carried(tx, id).await?;
    let in_organizations = named::is_carried_in_organizations(tx, id).await?;
    let may = (!by_roles || management.holds::<RolesWrite>())
        && (!in_organizations || management.holds::<OrganizationsWrite>());
    if !may {
        let message = "Roles carry this scope: renaming it needs the right to change roles (roles:write, and \
            organizations:write where organization roles carry it).";
        return Err(AccessRefusal::forbidden(message));
    }
    if by_roles || in_organizations { management.demand_recent() } else { Ok(()) }
}

/// The same for an organization scope: its operations already require the right to change organization roles.
pub async fn check_organization_scope_renamed(
    management: &Caller,
    tx: &mut Tx,
    id: &OrganizationScopeId,
) -> Result<(), AccessRefusal> {
    if named::is_organization_scope_carried(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// The same for a role that is assigned: tokens and plugins refer to it by name.
pub async fn check_role_renamed(management: &Caller, tx: &mut Tx, id: &RoleId) -> Result<(), AccessRefusal> {
    if named::is_held(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// The same for an organization role.
pub async fn check_organization_role_renamed(
    management: &Caller,
    tx: &mut Tx,
    id: &OrganizationRoleId,
) -> Result<(), AccessRefusal> {
    if named::is_organization_role_held(tx, id).await? { management.demand_recent() } else { Ok(()) }
}

/// Whether an application has scopes of the Management API through its roles.
pub async fn opens_management(
    management: &Caller,
    tx: &mut Tx,
    application_id: &ApplicationId,
) -> Result<bool, AccessRefusal> {
    let Some(resource_id) = management_resource_id(management, tx).await? else { return Ok(false) };
    let held = applications::scopes_held(tx, application_id).await?;
    Ok(held.iter().any(|scope| scope.resource_id == resource_id))
}

/// Refuses changes of an application with scopes of the Management API, or of its keys, unless the caller has all of
/// the API. Refuses changes of the server's own applications to all callers.
pub async fn check_application(
    management: &Caller,
    tx: &mut Tx,
    application_id: &ApplicationId,
) -> Result<(), AccessRefusal> {
    built_in::refuse_application(application_id)?;
    let Err(refusal) = management.demand_all() else { return Ok(()) };
    if opens_management(management, tx, application_id).await? { Err(refusal) } else { Ok(()) }
}

/// Refuses to change an administrator, to impersonate one, or to enable a sign-in as one, unless the caller is an
/// administrator.
pub async fn check_user(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<(), AccessRefusal> {
    let Err(refusal) = management.demand_administrator() else { return Ok(()) };
    if administers(management, tx, user_id).await? { Err(refusal) } else { Ok(()) }
}

/// Whether a user is an administrator of this server.
pub async fn administers(management: &Caller, tx: &mut Tx, user_id: &UserId) -> Result<bool, AccessRefusal> {
    Ok(roles::console::is_held_by(tx, user_id, &management.app.config.tokens.management_resource).await?)
}

/// The time until which the Management API has an administrator, for a change that may shorten it.
pub struct Administered(Option<i64>);

impl Administered {
    /// The state before the change, in a transaction that locks the revision: concurrent changes wait for it.
    pub async fn before(management: &Caller, tx: &mut Tx) -> Result<Self, AccessRefusal> {
        Ok(Self(roles::administrators::until(tx, &management.app.config.tokens.management_resource).await?))
    }

    /// Checks the state after the change: refuses it if the API would have no administrator, now or soon.
    pub async fn check(self, management: &Caller, tx: &mut Tx) -> Result<(), AccessRefusal> {
        let Self(before) = self;
        let needed = before.map(|until| until.min(management.now() + MIN_REMAINING_MS));
        let after = roles::administrators::until(tx, &management.app.config.tokens.management_resource).await?;
        if after < needed {
            let message = "This would leave no machine-to-machine application with a secret or a key and a role that \
                 carries all of the Management API. Make another one an administrator first.";
            return Err(AccessRefusal::Denied(ApiCode::ApplicationLastAdministrator, message));
        }
        Ok(())
    }
}
