//! `isAdmin` of an application: whether it has all rights on the Management API, by a built-in role or by others.

use claimsmith_domain::documents::application::ApplicationType;
use claimsmith_domain::documents::role::{INTERNAL_ADMIN, RoleType};
use claimsmith_domain::id::{ApplicationId, RoleId};
use claimsmith_domain::management::ALL;
use claimsmith_identity::access::privilege_guard;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::resources::{self, Scope};
use claimsmith_storage::roles::{self, Role};
use claimsmith_storage::{Slice, Tx};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;

/// Whether the application has the scope for all of the Management API.
pub(super) async fn is_admin(management: &Caller, tx: &mut Tx, id: &ApplicationId) -> Result<bool, ApiError> {
    let Some(resource_id) = privilege_guard::management_resource_id(management, tx).await? else { return Ok(false) };
    let held = applications::scopes_held(tx, id).await?;
    Ok(held.iter().any(|scope| scope.resource_id == resource_id && scope.name == ALL))
}

/// Gives an application the scope for all of the Management API, or removes every role with it. Only callers with that
/// scope may change anything.
pub(super) async fn set_admin(
    management: &Caller,
    tx: &mut Tx,
    application: &Application,
    wanted: bool,
) -> Result<(), ApiError> {
    if is_admin(management, tx, &application.id).await? == wanted {
        return Ok(());
    }
    management.demand_all()?;
    let all = all_of_management(management, tx).await?;
    if wanted {
        if application.kind != ApplicationType::MachineToMachine {
            return Err(super::roles::not_a_machine());
        }
        let role_id = internal_role(management, tx, &all).await?;
        roles::assign_to_application(tx, &application.id, &role_id).await?;
        return Ok(());
    }
    for role in roles::holders::list_of_application(tx, &application.id, None, Slice::ALL).await? {
        if resources::scopes_of_role(tx, &role.id).await?.iter().any(|scope| scope.id == all.id) {
            roles::holders::take_from_application(tx, &application.id, &role.id).await?;
        }
    }
    Ok(())
}

async fn all_of_management(management: &Caller, tx: &mut Tx) -> Result<Scope, ApiError> {
    let unknown = || ApiError::unknown_relation("scope");
    let resource_id = privilege_guard::management_resource_id(management, tx).await?.ok_or_else(unknown)?;
    resources::scopes_of(tx, &resource_id).await?.into_iter().find(|scope| scope.name == ALL).ok_or_else(unknown)
}

/// The built-in role with the scope; created when it is first needed.
async fn internal_role(management: &Caller, tx: &mut Tx, scope: &Scope) -> Result<RoleId, ApiError> {
    let role = match roles::find_by_name(tx, INTERNAL_ADMIN).await? {
        Some(role) => role,
        None => create_internal_role(management, tx).await?,
    };
    roles::add_scope(tx, &role.id, &scope.id).await?;
    Ok(role.id)
}

async fn create_internal_role(management: &Caller, tx: &mut Tx) -> Result<Role, ApiError> {
    let role = Role {
        id: management.app.random.id(21)?.into(),
        name: INTERNAL_ADMIN.to_owned(),
        description: "Holds all of the Management API.".to_owned(),
        kind: RoleType::MachineToMachine,
        is_default: false,
        created_at: management.now(),
    };
    roles::insert(tx, &role).await?;
    Ok(role)
}
