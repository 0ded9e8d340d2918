//! `/demo/mailbox`: messages of a demo server without connectors. Its reader could sign in as any user, so it is only
//! for the owner of the terminal: for browsers on this machine, not through a proxy, with the code of the link that the
//! terminal prints, or the cookie that was issued for it.

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, RawQuery, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use claimsmith_domain::clock::iso8601;
use claimsmith_pages::failure::PageError;
use claimsmith_pages::frame::{Frame, PageContext};
use claimsmith_pages::mailbox::{LetterView, MailboxPage, MailboxView};
use claimsmith_pages::not_found::NotFoundPage;
use claimsmith_services::app::App;
use claimsmith_services::messages::ReceivedMessage;
use claimsmith_storage::settings;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::{see_other, with_cookie};
use claimsmith_web::same_origin;
use std::net::SocketAddr;

/// The page.
pub(super) const MAILBOX: &str = "/demo/mailbox";
/// Headers that proxies add.
const FORWARDING: [&str; 6] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// A request from a browser on this machine, to a server with demo data.
pub(super) struct Neighbour {
    app: App,
    headers: HeaderMap,
    frame: Frame,
}

impl FromRequestParts<App> for Neighbour {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
        let is_near = peer.is_some_and(|peer| peer.to_canonical().is_loopback());
        let is_forwarded = FORWARDING.iter().any(|name| parts.headers.contains_key(*name));
        let (frame, has_demo) = look(app, &parts.headers).await.map_err(IntoResponse::into_response)?;
        if !is_near || is_forwarded || !has_demo {
            return Err(NotFoundPage { frame: &frame }.answer());
        }
        Ok(Self { app: app.clone(), headers: parts.headers.clone(), frame })
    }
}

async fn look(app: &App, headers: &HeaderMap) -> Result<(Frame, bool), PageError> {
    let mut tx = app.db.read().await?;
    let frame = Frame::load(app, &mut tx, &PageContext::by(headers)).await?;
    Ok((frame, settings::demo(&mut tx).await?.is_some()))
}

impl Neighbour {
    fn page(&self, view: MailboxView<'_>) -> Response {
        MailboxPage { frame: &self.frame, view }.answer()
    }

    fn is_owner(&self) -> bool {
        let cookie = BrowserCookie::Mailbox.value(&self.app, &self.headers);
        cookie.is_some_and(|cookie| self.app.mailbox_key.is_opened_by(&cookie))
    }
}

/// Shows the messages, or the form that opens the mailbox.
pub(super) async fn show(neighbour: Neighbour, RawQuery(query): RawQuery) -> Result<Response, PageError> {
    if neighbour.is_owner() {
        let app = &neighbour.app;
        let received = app.messages.mailbox(&mut app.db.read().await?).await?;
        return Ok(neighbour.page(MailboxView::Open(received.into_iter().map(view).collect())));
    }
    let query = Form::of_query(query.as_deref().unwrap_or_default()).unwrap_or_default();
    let code = query.all("code").next().filter(|code| neighbour.app.mailbox_key.has_code(code));
    Ok(neighbour.page(code.map_or(MailboxView::Closed, MailboxView::OpenButton)))
}

/// Opens the mailbox: the browser gets a cookie for the code.
pub(super) async fn open(State(app): State<App>, neighbour: Neighbour, body: Body) -> Response {
    let closed = || neighbour.page(MailboxView::Closed);
    if same_origin::check(&app, &neighbour.headers).is_err() {
        return closed();
    }
    let Ok(form) = Form::read(&neighbour.headers, body).await else { return closed() };
    let cookie = form.all("csrf").next().and_then(|code| app.mailbox_key.exchange(code));
    let Some(cookie) = cookie else { return closed() };
    let location = format!("{}{MAILBOX}", app.config.server.base_url);
    with_cookie(see_other(&location), &BrowserCookie::Mailbox.set(&app, cookie))
}

fn view(received: ReceivedMessage) -> LetterView {
    let link = received.link.filter(|link| link.starts_with("https://") || link.starts_with("http://"));
    LetterView {
        recipient: received.recipient,
        subject: received.subject,
        text: received.text,
        link,
        time: iso8601(received.created_at),
        is_over: received.is_over,
    }
}
