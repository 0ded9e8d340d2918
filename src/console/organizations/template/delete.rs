//! Deletes a role or a permission of the template.

use super::{PAGE, permissions, role};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::posted::Posted;
use crate::section::Section;
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn ask_role(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    of_role(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    of_role(&caller, &id).await?.carry_out(&caller, &form).await
}

pub(super) async fn ask_permission(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    of_permission(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_permission(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    of_permission(&caller, &id).await?.carry_out(&caller, &form).await
}

async fn of_role(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    Ok(Deletion {
        section: Section::Organizations,
        kind: "organization role",
        name: role::load(caller, id).await?.name,
        page: role::page(id),
        consequences: vec!["Members of all organizations who hold it lose it, and what it carries.".to_owned()],
        operation: role::operation(id, ""),
        then: PAGE.to_owned(),
    })
}

async fn of_permission(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    Ok(Deletion {
        section: Section::Organizations,
        kind: "organization permission",
        name: permissions::load(caller, id).await?.name,
        page: format!("{PAGE}/permissions/{}", crate::caller::segment(id)),
        consequences: vec!["Roles carry it no longer, in any organization.".to_owned()],
        operation: permissions::operation(id),
        then: PAGE.to_owned(),
    })
}
