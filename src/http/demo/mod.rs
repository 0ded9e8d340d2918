//! `/demo`: an example application that uses this server, as any web application would: it signs users in, shows their
//! tokens, and impersonates the demo's customer. Only enabled with demo data. See `docs/demo-application.md`.

mod act;
mod endpoints;
mod guest;
mod mailbox;
mod memory;
mod show;
mod sign_in;
mod sign_out;
mod take_over;
mod tokens;
mod traces;
mod webhook;

use axum::{Extension, Router};
use claimsmith_services::app::App;
use claimsmith_web::routing::{get, post};
use memory::Memory;
use std::sync::Arc;

/// The page.
const PAGE: &str = "/demo";
/// The redirect URI of the sign-in.
const CALLBACK: &str = "/demo/callback";
/// The receiver of webhooks.
const WEBHOOK: &str = "/demo/webhook";

/// The routes, with their own state.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(PAGE, get(show::show))
        .route("/demo/sign-in", post(sign_in::begin))
        .route(CALLBACK, get(sign_in::finish))
        .route("/demo/refresh", post(tokens::refresh))
        .route("/demo/userinfo", post(tokens::ask_user_info))
        .route("/demo/act", post(act::act))
        .route("/demo/impersonate", post(take_over::take_over))
        .route("/demo/sign-out", post(sign_out::sign_out))
        .route(mailbox::MAILBOX, get(mailbox::show).merge(post(mailbox::open)))
        .route(WEBHOOK, post(webhook::receive))
        .layer(Extension(Arc::new(Memory::default())))
}
