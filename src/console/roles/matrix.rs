//! `/console/roles/matrix`: the scopes of a resource by role, to compare and change several roles at once.

use super::scopes::{carried, change};
use crate::answer::{done, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::find::searched;
use crate::form::Form;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::model::{Described, ResourceFacts, RoleFacts};
use crate::posted::Posted;
use crate::section::Section;
use crate::ticked::Changes;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::resources::ResourceWithScopes;
use claimsmith_api::roles::RoleView;
use claimsmith_domain::id::ScopeId;
use futures_util::future::try_join_all;
use std::collections::{BTreeMap, BTreeSet};

/// Roles per page: as many columns as are readable.
const COLUMNS: u64 = 12;

/// A role and the ids of its scopes.
struct RoleColumn {
    role: RoleView,
    carried: BTreeSet<ScopeId>,
}

#[derive(Template)]
#[template(path = "roles/matrix.html")]
struct MatrixPage {
    frame: Frame,
    resources: Vec<ResourceWithScopes>,
    /// The selected resource.
    shown: Option<ResourceWithScopes>,
    roles: List<RoleColumn>,
    query: String,
    alert: String,
}

impl MatrixPage {
    /// Whether the checkboxes can be changed.
    fn may_change(&self) -> bool {
        let is_open = self.shown.as_ref().is_some_and(|shown| !shown.resource.is_of_console());
        is_open && self.frame.may("POST", "/api/roles/{id}/scopes")
    }
}

pub(super) async fn show_matrix(caller: Caller) -> Result<Response, Failure> {
    show_with(&caller, String::new()).await
}

async fn show_with(caller: &Caller, alert: String) -> Result<Response, Failure> {
    let mut resources: Vec<ResourceWithScopes> = caller.get("/api/resources?includeScopes=true").await?;
    resources.retain(|listed| !listed.scopes.is_empty());
    let management = &caller.console().management_resource;
    // Custom resources first, then the built-in ones.
    resources.sort_by_key(|listed| listed.resource.fixed(management).is_some());
    let asked = caller.query("resource");
    let shown = resources.iter().find(|listed| asked.is_none_or(|id| listed.resource.id == id)).cloned();
    let query = caller.query("q").unwrap_or_default().to_owned();
    let chosen = shown.as_ref().map(|shown| &shown.resource);
    let is_management = chosen.is_some_and(|one| one.fixed(management).is_some() && !one.is_of_console());
    let path = if is_management { "/api/roles?type=MachineToMachine" } else { "/api/roles" };
    let paging = Paging { size: COLUMNS, ..caller.paging() };
    let roles: List<RoleView> = caller.list(&searched(path, &query, true), paging).await?;
    let carried = try_join_all(roles.items.iter().map(|role| carried(caller, &role.id))).await?;
    let columns = roles.items.into_iter().zip(carried).map(|(role, carried)| RoleColumn { role, carried });
    let roles = List { items: columns.collect(), total: roles.total, paging };
    let status = if alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let frame = Frame::new(caller, Section::Roles);
    show_as(caller, status, &MatrixPage { frame, resources, shown, roles, query, alert })
}

pub(super) async fn save_matrix(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    for (role, ticked, had) in cells(&form) {
        let now = carried(&caller, role).await?;
        let changes = Changes::read(ticked.into_iter(), had.into_iter(), &now);
        if let Err(failure) = change(&caller, role, changes).await {
            let refusal = failure.about_input()?;
            let alert = format!("Not everything was saved: {} What the boxes show now is what holds.", refusal.text());
            return show_with(&caller, alert).await;
        }
    }
    Ok(done(caller.here(), "saved"))
}

/// The ticked and the original checkboxes of each role; only roles with a change.
fn cells(form: &Form) -> Vec<(&str, Vec<&str>, Vec<&str>)> {
    let mut roles: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for (role, scope) in form.all("cell").filter_map(|cell| cell.split_once(' ')) {
        roles.entry(role).or_default().0.push(scope);
    }
    for (role, scope) in form.all("had").filter_map(|cell| cell.split_once(' ')) {
        roles.entry(role).or_default().1.push(scope);
    }
    roles.retain(|_, (ticked, had)| ticked != had);
    roles.into_iter().map(|(role, (ticked, had))| (role, ticked, had)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_roles_with_a_change_are_touched() {
        let fields =
            [("cell", "a 1"), ("had", "a 1"), ("cell", "b 1"), ("cell", "b 2"), ("had", "b 2"), ("had", "c 1")];
        let form = Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        assert_eq!(cells(&form), [("b", vec!["1", "2"], vec!["2"]), ("c", vec![], vec!["1"])]);
    }
}
