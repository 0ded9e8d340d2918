//! The mailbox of a demo server: messages that are not really sent. Only the owner of the terminal can open it: `POST
//! /demo/mailbox` takes the code of the link that the terminal shows.

use super::frame::Frame;
use super::headers::Forms;
use super::page;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "mailbox.html")]
pub struct MailboxPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// What is shown.
    pub view: MailboxView<'a>,
}

/// What is shown.
#[derive(Debug)]
pub enum MailboxView<'a> {
    /// That it is closed: the link of the terminal opens it.
    Closed,
    /// A button that opens it, with the code of the link. Only the link has the code, so it ties the form to the link.
    OpenButton(&'a str),
    /// The messages, the newest first.
    Open(Vec<LetterView>),
}

/// A message.
#[derive(Debug)]
pub struct LetterView {
    /// Who it is for.
    pub recipient: String,
    /// The subject, if it is an e-mail; text messages have none.
    pub subject: Option<String>,
    /// The text.
    pub text: String,
    /// The link in it.
    pub link: Option<String>,
    /// When it was written, in ISO 8601.
    pub time: String,
    /// Whether its code or link has expired.
    pub is_over: bool,
}

impl MailboxPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.mailbox.title
    }

    /// The token of the form.
    fn csrf(&self) -> &str {
        if let MailboxView::OpenButton(code) = self.view { code } else { "" }
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        let status = if matches!(self.view, MailboxView::Closed) { StatusCode::FORBIDDEN } else { StatusCode::OK };
        page::answer(self, self.frame, status, Forms::Own)
    }
}
