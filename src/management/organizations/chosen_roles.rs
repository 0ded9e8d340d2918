//! Organization roles in a request body, by id or by name.

use crate::organization_roles::check;
use claimsmith_api::organizations::ChosenRoles;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_storage::{Tx, organizations};
use claimsmith_web::error::ApiError;
use serde_json::json;
use std::collections::BTreeSet;

/// Maximum names of one body.
const MAX_NAMES: usize = 1000;

/// Refuses a body without either list; a list may be empty.
pub(super) fn checked(chosen: ChosenRoles) -> Result<ChosenRoles, ApiError> {
    let names = chosen.organization_role_names.as_ref().map(Vec::len);
    let problem = match (chosen.organization_role_ids.as_ref(), names) {
        (None, None) => "expected organizationRoleIds or organizationRoleNames",
        (_, Some(count)) if count > MAX_NAMES => "expected at most 1000 names",
        _ => return Ok(chosen),
    };
    let key = if names.is_some() { "organizationRoleNames" } else { "organizationRoleIds" };
    Err(ApiError::invalid_input("body", format!("Error in key path \"{key}\": {problem}")))
}

/// The ids, in ascending order: 422 unless all of them are existing roles of this type.
pub(super) async fn resolve(
    chosen: ChosenRoles,
    tx: &mut Tx,
    kind: RoleType,
) -> Result<Vec<OrganizationRoleId>, ApiError> {
    let mut ids: BTreeSet<OrganizationRoleId> =
        chosen.organization_role_ids.iter().flat_map(IdList::as_slice).cloned().collect();
    let names: BTreeSet<String> = chosen.organization_role_names.into_iter().flatten().map(String::from).collect();
    let found = organizations::roles::find_named(tx, &names.iter().cloned().collect::<Vec<_>>()).await?;
    let unknown: Vec<&String> = names.iter().filter(|name| !found.iter().any(|role| role.name == **name)).collect();
    if !unknown.is_empty() {
        let message = "There is no organization role of one of these names.";
        let error = ApiError::new(ApiCode::OrganizationRoleNamesNotFound, message);
        return Err(error.with_data(json!({ "names": unknown })));
    }
    ids.extend(found.into_iter().map(|role| role.id));
    let ids: Vec<OrganizationRoleId> = ids.into_iter().collect();
    check(tx, &ids, kind).await?;
    Ok(ids)
}
