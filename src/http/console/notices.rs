//! Error pages of the console's sign-in (no role, an expired link, a forged request): plain pages in English, never
//! JSON.

use super::{HOME, at, to_sign_in};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use claimsmith_pages::console::ConsoleNotice;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_services::app::App;

/// The reason that the console is not shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Notice<'a> {
    /// The response to a sign-in that this browser did not begin, or that has expired.
    NotBegun,
    /// The server refused the sign-in with this message.
    Refused(&'a str),
    /// The ID token does not belong to this sign-in.
    NotProved,
    /// Another user than the one of the session.
    SomebodyElse,
    /// The user has no role of the console; the URL signs them out.
    NoRole(&'a str),
    /// The link is not valid.
    LinkOver,
    /// An invitation that an account claimed, until its inviter confirms it.
    Waiting {
        /// The name of the account.
        account: &'a str,
        /// The name of the inviter.
        inviter: &'a str,
    },
    /// An invitation for an account that has a role already.
    HoldsRole,
    /// A request from another site, or without the token of the session.
    Forged,
    /// The session has ended, and the posted form cannot be kept.
    Ended,
}

/// Shows the page of a notice.
pub(super) async fn show(app: &App, notice: Notice<'_>) -> Response {
    match page(app, notice).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn page(app: &App, notice: Notice<'_>) -> Result<Response, PageError> {
    let again = |label| vec![(label, to_sign_in(app, HOME))];
    let waiting = match notice {
        Notice::Waiting { account, inviter } => format!(
            "{account} has asked for access. {inviter} has to confirm this name in the console, under Administrators: \
             tell them that it is you. Then sign in."
        ),
        _ => String::new(),
    };
    let (status, title, text, ways) = match notice {
        Notice::NotBegun => (
            StatusCode::BAD_REQUEST,
            "Please sign in once more",
            "This sign-in was not begun in this browser, was finished already, or took too long.",
            again("Sign in"),
        ),
        Notice::Refused(text) => (StatusCode::BAD_REQUEST, "You are not signed in", text, again("Try again")),
        Notice::NotProved => (
            StatusCode::BAD_REQUEST,
            "You are not signed in",
            "The answer does not belong to this sign-in.",
            again("Try again"),
        ),
        Notice::SomebodyElse => (
            StatusCode::FORBIDDEN,
            "That was another account",
            "You confirmed with another account than the one that is signed in at the console. Nothing was changed.",
            vec![("Back to the console", at(app, HOME)), ("Sign in with the other account", to_sign_in(app, HOME))],
        ),
        Notice::NoRole(sign_out) => (
            StatusCode::FORBIDDEN,
            "The console is for administrators",
            "Your account has no role that opens the console. An administrator can give you one.",
            vec![
                ("Use another account", format!("{}&account=another", to_sign_in(app, HOME))),
                ("Sign out", sign_out.to_owned()),
            ],
        ),
        Notice::LinkOver => (
            StatusCode::GONE,
            "This link is not valid any more",
            "It was used or revoked, it has expired, or somebody administers this server already. A new one is made by \
             an administrator, or at the terminal of the server: by a restart, or by claimsmith admin invite.",
            again("Sign in"),
        ),
        Notice::Waiting { .. } => (StatusCode::OK, "Waiting for confirmation", waiting.as_str(), again("Sign in")),
        Notice::HoldsRole => (
            StatusCode::CONFLICT,
            "Your account has access already",
            "The invitation is for somebody without a role of the console, and was not used. An administrator can give \
             your account another role.",
            vec![("Open the console", at(app, HOME))],
        ),
        Notice::Forged => (
            StatusCode::FORBIDDEN,
            "This was not sent from the console",
            "The request came from another site, or from a page that is too old. Nothing was changed.",
            vec![("Back to the console", at(app, HOME))],
        ),
        Notice::Ended => (
            StatusCode::UNAUTHORIZED,
            "Your session has ended",
            "Nothing was changed. A file has to be chosen again after you have signed in.",
            again("Sign in"),
        ),
    };
    let frame = frame(app).await?;
    Ok(ConsoleNotice { frame: &frame, status, title, text, ways: &ways }.answer())
}

/// The frame of every page, in English.
pub(super) async fn frame(app: &App) -> Result<Frame, PageError> {
    let asked = PageContext { ui_locales: Some("en"), ..PageContext::default() };
    Ok(Frame::load(app, &mut app.db.read().await?, &asked).await?)
}
