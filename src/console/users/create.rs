//! `/console/users/create`: creates a user with a typed or generated password, a one-time link, or neither.

use super::addresses::link;
use super::profile::profile;
use super::user::{PROFILE, PageHead, page};
use super::{password, security};
use crate::answer::{done, show_as};
use crate::caller::{Caller, without_nulls};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::users::ShownUser;
use serde_json::json;

/// Validity of a new user's link in minutes: one day.
const LINK_MINUTES: u64 = 24 * 60;

#[derive(Template)]
#[template(path = "users/create.html")]
struct CreatePage {
    frame: Frame,
    fields: Form,
    applications: Vec<ApplicationView>,
    alert: String,
}

impl CreatePage {
    /// Whether this way to sign in is selected.
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
    // The link is created first: it may need a fresh sign-in, after which the form is submitted again.
    let secret = match (way, form.filled("primaryEmail")) {
        ("link", None) => {
            let alert = form.refuse("primaryEmail", "A one-time link needs an email address.");
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
    let user: ShownUser = match caller.write(Method::POST, "/api/users", body).await {
        Ok(user) => user,
        Err(failure) => return refuse(&caller, form, failure).await,
    };
    let head = PageHead::of(user, PROFILE);
    match (made, secret) {
        (Some(password), _) => password::show(&caller, head, password),
        (None, Some(secret)) => secret.show(&caller, head),
        (None, None) => Ok(done(&page(&head.user.id, ""), "created")),
    }
}

/// Shows the form again with the error.
async fn refuse(caller: &Caller, form: Form, failure: Failure) -> Result<Response, Failure> {
    let refusal = failure.about_input()?;
    show_with(caller, StatusCode::UNPROCESSABLE_ENTITY, form, refusal.text()).await
}
