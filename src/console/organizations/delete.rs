//! Deletes an organization.

use super::organization::{PageHead, SETTINGS, operation, page};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::posted::Posted;
use crate::section::Section;
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_organization(
    Path(id): Path<String>,
    Posted { caller, form }: Posted,
) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.carry_out(&caller, &form).await
}

async fn deletion(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    let organization = PageHead::load(caller, id, SETTINGS).await?.organization;
    Ok(Deletion {
        section: Section::Organizations,
        kind: "organization",
        name: organization.name,
        page: page(id, ""),
        consequences: vec![
            "Its members, users and applications, stay, but are members no longer.".to_owned(),
            "Its invitations, domains and custom data go with it.".to_owned(),
            "Nobody gets tokens for it any more.".to_owned(),
        ],
        operation: operation(id, ""),
        then: "/console/organizations".to_owned(),
    })
}
