//! Ends an impersonation: the token is no longer accepted.

use super::find;
use super::view::ImpersonationFacts;
use crate::answer::{done, show};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::names::Names;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::impersonations::ImpersonationView;

#[derive(Template)]
#[template(path = "impersonations/end.html")]
struct EndPage {
    frame: Frame,
    names: Names,
    one: ImpersonationView,
}

impl EndPage {
    fn command(&self) -> String {
        self.frame.command("DELETE", format!("/api/impersonations/{}", segment(&self.one.id)), "")
    }
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let one = find(&caller, &id).await?;
    let names = Names::load(&caller, [one.who(), &one.user_id], [&*one.application_id]).await;
    show(&caller, &EndPage { frame: Frame::new(&caller, Section::Impersonations), names, one })
}

pub(super) async fn end(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    caller.delete(&format!("/api/impersonations/{}", segment(&id))).await?;
    Ok(done(&format!("/console/impersonations/{}", segment(&id)), "ended"))
}
