//! `/demo`: an application that relies on this server, as any web application would, for newcomers: it signs people in,
//! shows their tokens, and acts as the demo's customer. It is there with demo data alone. See `docs/demo-application.md`.

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
/// Where browsers come back to after they signed in.
const CALLBACK: &str = "/demo/callback";
/// Where webhooks are received.
const WEBHOOK: &str = "/demo/webhook";

/// The routes, with a memory of their own.
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
