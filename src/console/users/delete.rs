//! Deletes a user.

use super::user::{PROFILE, PageHead, operation, page};
use crate::caller::Caller;
use crate::deletion::Deletion;
use crate::failure::Failure;
use crate::model::UserFacts;
use crate::posted::Posted;
use crate::section::Section;
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.ask(&caller)
}

pub(super) async fn delete_user(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    deletion(&caller, &id).await?.carry_out(&caller, &form).await
}

async fn deletion(caller: &Caller, id: &str) -> Result<Deletion, Failure> {
    let user = PageHead::load(caller, id, PROFILE).await?.user;
    Ok(Deletion {
        section: Section::Users,
        kind: "user",
        name: user.title().to_owned(),
        page: page(id, ""),
        consequences: vec![
            "The account goes with its profile, custom data, second factors, passkeys and linked accounts.".to_owned(),
            "Its sessions and grants end, its tokens are void, and whoever acts as them stops.".to_owned(),
            "Its roles and its places in organizations go as well. Entries of the audit log stay.".to_owned(),
            "User name, address and number can be taken by somebody else.".to_owned(),
        ],
        operation: operation(id, ""),
        then: "/console/users".to_owned(),
    })
}
