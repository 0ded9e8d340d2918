//! Organization roles in a request body, by id or by name.

use crate::organization_roles::check;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::id_list::IdList;
use claimsmith_domain::documents::role::RoleType;
use claimsmith_domain::id::OrganizationRoleId;
use claimsmith_domain::name::Name;
use claimsmith_json::present;
use claimsmith_storage::{Tx, organizations};
use claimsmith_web::error::ApiError;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// Maximum names of one body.
const MAX_NAMES: usize = 1000;

/// Roles, by id or by name, or some by id and some by name.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub(super) struct ChosenRoles {
    /// At most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    organization_role_ids: Option<IdList<OrganizationRoleId, 0>>,
    /// At most 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Vec<String>, required = false, max_items = 1000)]
    organization_role_names: Option<Vec<Name<1, 128>>>,
}

/// The ids of the roles that a request chose.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "organizationRoleIds": ["h3g8j1k6l4q9w2z7x0c5v"] }))]
pub(super) struct ChosenRoleIds {
    #[schema(value_type = Vec<String>)]
    pub(super) organization_role_ids: Vec<OrganizationRoleId>,
}

impl ChosenRoles {
    /// Refuses a body without either list; a list may be empty.
    pub(super) fn checked(self) -> Result<Self, ApiError> {
        let names = self.organization_role_names.as_ref().map(Vec::len);
        let problem = match (&self.organization_role_ids, names) {
            (None, None) => "expected organizationRoleIds or organizationRoleNames",
            (_, Some(count)) if count > MAX_NAMES => "expected at most 1000 names",
            _ => return Ok(self),
        };
        let key = if names.is_some() { "organizationRoleNames" } else { "organizationRoleIds" };
        Err(ApiError::invalid_input("body", format!("Error in key path \"{key}\": {problem}")))
    }

    /// The ids, in ascending order: 422 unless all of them are existing roles of this type.
    pub(super) async fn resolve(self, tx: &mut Tx, kind: RoleType) -> Result<Vec<OrganizationRoleId>, ApiError> {
        let mut ids: BTreeSet<OrganizationRoleId> =
            self.organization_role_ids.iter().flat_map(IdList::as_slice).cloned().collect();
        let names: BTreeSet<String> = self.organization_role_names.into_iter().flatten().map(String::from).collect();
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
}
