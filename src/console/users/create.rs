//! `/console/users/create`: a new user, with a password, one that is made up, a link, or nothing yet.

use super::addresses::link;
use super::profile::profile;
use super::user::{Head, PROFILE, page};
use super::{password, security};
use crate::answer::{done, show_as};
use crate::caller::{Caller, without_nulls};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::model::{Application, User};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

/// Minutes that the link of a new user works: a day.
const LINK_MINUTES: u64 = 24 * 60;

#[derive(Template)]
#[template(path = "users/create.html")]
struct CreatePage {
    frame: Frame,
    fields: Form,
    applications: Vec<Application>,
    alert: String,
}

impl CreatePage {
    /// Whether this way to sign in is chosen.
    fn chosen(&self, way: &str) -> bool {
        self.fields.filled("way").unwrap_or("made") == way
    }
}

pub(super) async fn show_form(caller: Caller) -> Result<Response, Failure> {
    show_with(&caller, StatusCode::OK, Form::default(), String::new()).await
}

async fn show_with(caller: &Caller, status: StatusCode, fields: Form, alert: String) -> Result<Response, Failure> {
    let applications = security::applications(caller).await?;
    let frame = Frame::new(caller, Section::Users);
    show_as(caller, status, &CreatePage { frame, fields, applications, alert })
}

pub(super) async fn create_user(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let way = form.text("way");
    // The link comes first: it may need a fresh sign-in, and the form is sent again then.
    let secret = match (way, form.filled("primaryEmail")) {
        ("link", None) => {
            let alert = "A one-time link needs an email address.".to_owned();
            return show_with(&caller, StatusCode::UNPROCESSABLE_ENTITY, form, alert).await;
        }
        ("link", Some(email)) => match link(&caller, email, form.text("application"), LINK_MINUTES).await {
            Ok(secret) => Some(secret),
            Err(failure) => return refuse(&caller, form, failure).await,
        },
        _ => None,
    };
    let made = if way == "made" { Some(password::make(&caller)?) } else { None };
    let typed = Some(form.raw("password")).filter(|_| way == "password");
    let body = without_nulls(json!({
        "name": form.filled("name"),
        "username": form.filled("username"),
        "primaryEmail": form.filled("primaryEmail"),
        "primaryPhone": form.filled("primaryPhone"),
        "profile": profile(&form),
        "password": made.as_deref().or(typed),
    }));
    let user: User = match caller.write(Method::POST, "/api/users", body).await {
        Ok(user) => user,
        Err(failure) => return refuse(&caller, form, failure).await,
    };
    let head = Head { user, tab: PROFILE, alert: String::new() };
    match (made, secret) {
        (Some(password), _) => password::show(&caller, head, password),
        (None, Some(secret)) => secret.show(&caller, head),
        (None, None) => Ok(done(&page(&head.user.id, ""), "created")),
    }
}

/// The form again, with what was wrong.
async fn refuse(caller: &Caller, form: Form, failure: Failure) -> Result<Response, Failure> {
    let refusal = failure.about_input()?;
    show_with(caller, StatusCode::UNPROCESSABLE_ENTITY, form, refusal.text()).await
}
