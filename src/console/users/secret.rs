//! Secrets that are shown once, right after creation: passwords, tokens, codes and links.

use super::user::PageHead;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::UserFacts;
use crate::section::Section;
use askama::Template;
use axum::response::Response;

/// A secret that was just created.
pub(super) struct CreatedSecret {
    pub(super) title: &'static str,
    /// What to do with it.
    pub(super) about: String,
    pub(super) values: Vec<String>,
    /// A QR code of it, as a data URI.
    pub(super) picture: Option<String>,
    /// The tab of the user to continue with.
    pub(super) then: &'static str,
}

#[derive(Template)]
#[template(path = "users/secret.html")]
struct SecretPage {
    frame: Frame,
    head: PageHead,
    secret: CreatedSecret,
}

impl CreatedSecret {
    /// The page that shows it.
    pub(super) fn show(self, caller: &Caller, head: PageHead) -> Result<Response, Failure> {
        show(caller, &SecretPage { frame: Frame::new(caller, Section::Users), head, secret: self })
    }
}
