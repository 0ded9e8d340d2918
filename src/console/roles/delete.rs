//! Deletes a role.

use super::scopes::{load, operation, page};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::model::RoleFacts;
use crate::posted::Posted;
use crate::section::Section;
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_role(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.carry_out(&caller, &form).await
}

async fn deletion(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    let role = load(caller, id).await?;
    let whoever = if role.is_for_machines() { "Applications" } else { "Users" };
    Ok(Deletion {
        section: Section::Roles,
        kind: "role",
        name: role.name,
        page: page(id, ""),
        consequences: vec![
            format!("{whoever} that hold it lose it, and its scopes with it."),
            "Tokens that were given out keep their scopes until they expire.".to_owned(),
        ],
        operation: operation(id, ""),
        then: "/console/roles".to_owned(),
    })
}
