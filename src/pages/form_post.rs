//! The return to an application with `response_mode=form_post`: a form that submits itself, with a button if there is
//! no JavaScript.

use super::assets::{self, File};
use super::frame::Frame;
use super::headers::Forms;
use super::page;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page.
#[derive(Debug, Template)]
#[template(path = "form_post.html")]
pub struct FormPostPage<'a> {
    /// What every page has.
    pub frame: &'a Frame,
    /// Where the form is sent to.
    pub redirect_uri: &'a str,
    /// Its fields, by name.
    pub parameters: Vec<(&'a str, &'a str)>,
}

impl FormPostPage<'_> {
    fn title(&self) -> &str {
        &self.frame.t.common.please_wait
    }

    fn script(&self) -> String {
        self.frame.path(&format!("{}{}", assets::FOLDER, File::FormPost.name()))
    }

    /// The page as an answer.
    #[must_use]
    pub fn answer(&self) -> Response {
        page::answer(self, self.frame, StatusCode::OK, Forms::Onward)
    }
}
