//! Deletes a resource, or one of its scopes.

use super::page::{operation, page};
use super::scopes::load;
use crate::caller::{Caller, segment};
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::posted::Posted;
use crate::section::Section;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::resources::ResourceView;

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    of_resource(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_resource(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    of_resource(&caller, &id).await?.carry_out(&caller, &form).await
}

pub(super) async fn ask_scope(caller: Caller, Path((id, scope)): Path<(String, String)>) -> Result<Response, Failure> {
    of_scope(&caller, &id, &scope).await?.ask(&caller)
}

pub(super) async fn delete_scope(
    Path((id, scope)): Path<(String, String)>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    of_scope(&caller, &id, &scope).await?.carry_out(&caller, &form).await
}

async fn of_resource(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    let resource: ResourceView = caller.get(&operation(id, "")).await?;
    Ok(Deletion {
        section: Section::Resources,
        kind: "API resource",
        name: resource.name,
        page: page(id),
        consequences: vec![
            "Its scopes go with it, and roles carry them no longer.".to_owned(),
            format!("Applications that ask for tokens for {} are refused from now on.", resource.indicator),
        ],
        operation: operation(id, ""),
        then: "/console/resources".to_owned(),
    })
}

async fn of_scope(caller: &Caller, id: &str, scope_id: &str) -> Result<Deletion, Failure> {
    let (resource, scope) = load(caller, id, scope_id).await?;
    Ok(Deletion {
        section: Section::Resources,
        kind: "scope",
        name: scope.name,
        page: page(id),
        consequences: vec![
            "Roles carry it no longer.".to_owned(),
            format!("New tokens for {} have it no longer, whoever asks.", resource.name),
        ],
        operation: operation(id, &format!("/scopes/{}", segment(scope_id))),
        then: format!("{}#scopes", page(id)),
    })
}
