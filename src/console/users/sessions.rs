//! `/console/users/{id}/sessions`: sessions, grants to applications, trusted devices and tokens of a user.

use super::user::{PageHead, SESSIONS, operation, page};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::Paging;
use crate::model::UserFacts;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::users::sessions::{GrantView, Grants, SessionView, Sessions, TrustedDeviceView};
use claimsmith_api::users::sign_in::TokenView;

/// Maximum number of trusted devices and of applications shown.
const MAX_ITEMS_SHOWN: u64 = 100;

#[derive(Template)]
#[template(path = "users/sessions.html")]
struct SessionsPage {
    frame: Frame,
    head: PageHead,
    sessions: Vec<SessionView>,
    grants: Vec<GrantView>,
    devices: Vec<TrustedDeviceView>,
    tokens: Vec<TokenView>,
    applications: Vec<ApplicationView>,
    /// The submitted name of a new token.
    token_name: String,
    token_expires: String,
}

impl SessionsPage {
    /// The name of an application, or its id.
    fn application<'a>(&'a self, id: &'a str) -> &'a str {
        self.applications.iter().find(|known| known.id == id).map_or(id, |known| &known.name)
    }
}

pub(super) async fn show_sessions(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let head = PageHead::load(&caller, &id, SESSIONS).await?;
    show_with(&caller, head, StatusCode::OK).await
}

/// The page with the error of a failed action.
pub(super) async fn show_again(caller: &Caller, id: &str, failure: Failure) -> Result<Response, Failure> {
    let refusal = failure.about_input()?;
    let head = PageHead::load(caller, id, SESSIONS).await?.with_alert(refusal.text());
    show_with(caller, head, StatusCode::UNPROCESSABLE_ENTITY).await
}

async fn show_with(caller: &Caller, head: PageHead, status: StatusCode) -> Result<Response, Failure> {
    let sessions: Sessions = caller.get(&head.operation("/sessions")).await?;
    let grants: Grants = caller.get(&head.operation("/grants")).await?;
    let devices = caller.list(&head.operation("/trusted-devices"), Paging::first(MAX_ITEMS_SHOWN)).await?.items;
    let tokens = caller.get(&head.operation("/personal-access-tokens")).await?;
    let applications = if grants.grants.is_empty() {
        Vec::new()
    } else {
        caller.get_if_allowed(&Paging::first(MAX_ITEMS_SHOWN).of("/api/applications")).await?.unwrap_or_default()
    };
    let typed = |name| caller.form().map(|form| form.text(name).to_owned()).unwrap_or_default();
    let shown = SessionsPage {
        frame: Frame::new(caller, Section::Users),
        head,
        sessions: sessions.sessions,
        grants: grants.grants,
        devices,
        tokens,
        applications,
        token_name: typed("name"),
        token_expires: typed("expires"),
    };
    show_as(caller, status, &shown)
}

pub(super) async fn end_session(
    Path((id, session)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let result = caller.delete(&operation(&id, &format!("/sessions/{}", segment(&session)))).await;
    answer(&caller, &id, result, "ended").await
}

pub(super) async fn end_all(Path(id): Path<String>, Posted { caller, .. }: Posted) -> Result<Response, Failure> {
    let found: Sessions = caller.get(&operation(&id, "/sessions")).await?;
    for session in found.sessions {
        match caller.delete(&operation(&id, &format!("/sessions/{}", segment(&session.payload.uid)))).await {
            // Already ended.
            Err(failure) if failure.is_missing() => {}
            result => result?,
        }
    }
    Ok(done(&page(&id, "sessions"), "ended"))
}

pub(super) async fn revoke_grant(
    Path((id, grant)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let result = caller.delete(&operation(&id, &format!("/grants/{}", segment(&grant)))).await;
    answer(&caller, &id, result, "revoked").await
}

pub(super) async fn end_trust(
    Path((id, device)): Path<(String, String)>,
    Posted { caller, .. }: Posted,
) -> Result<Response, Failure> {
    let result = caller.delete(&operation(&id, &format!("/trusted-devices/{}", segment(&device)))).await;
    answer(&caller, &id, result, "ended").await
}

async fn answer(caller: &Caller, id: &str, result: Result<(), Failure>, word: &str) -> Result<Response, Failure> {
    match result {
        Ok(()) => Ok(done(&page(id, "sessions"), word)),
        Err(failure) => show_again(caller, id, failure).await,
    }
}
