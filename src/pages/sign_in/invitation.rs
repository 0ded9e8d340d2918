//! Accepting an invitation to an organization: `POST /invitation` with `id` and `token`. Opening the link alone does
//! nothing.

use crate::frame::Frame;
use crate::headers::Forms;
use crate::texts::tree::fill;
use crate::{page, paths};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The state of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvitationState<'a> {
    /// Not accepted yet: the id and the token of its link.
    Pending(&'a str, &'a str),
    /// It was accepted just now.
    Accepted,
    /// It is invalid.
    Void,
}

/// The page.
#[derive(Debug, Template)]
#[template(path = "invitation.html")]
pub struct InvitationPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// The organization.
    pub organization: &'a str,
    /// The recipient.
    pub address: &'a str,
    /// Its state.
    pub state: InvitationState<'a>,
}

impl InvitationPage<'_> {
    fn title(&self) -> String {
        let texts = &self.frame.t.invitation;
        let text = match self.state {
            InvitationState::Pending(..) => &texts.title,
            InvitationState::Accepted => &texts.accepted_title,
            InvitationState::Void => &texts.void_title,
        };
        fill(text, &[("organization", self.organization)])
    }

    fn description(&self) -> String {
        let texts = &self.frame.t.invitation;
        let text = match self.state {
            InvitationState::Pending(..) => &texts.description,
            InvitationState::Accepted => &texts.accepted_description,
            InvitationState::Void => &texts.void_description,
        };
        fill(text, &[("organization", self.organization), ("address", self.address)])
    }

    /// The id and the token, while it is to be accepted.
    fn pending(&self) -> Option<(&str, &str)> {
        match self.state {
            InvitationState::Pending(id, token) => Some((id, token)),
            InvitationState::Accepted | InvitationState::Void => None,
        }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        let is_void = self.state == InvitationState::Void;
        let status = if is_void { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Own)
    }
}
