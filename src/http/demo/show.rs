//! Shows the page of the demo application.

use super::guest::{DemoGuest, csrf};
use super::{PAGE, traces};
use crate::http::own_client;
use axum::http::header;
use axum::response::Response;
use claimsmith_pages::demo::{ClaimView, DemoPage, PersonView};
use claimsmith_pages::failure::PageError;
use claimsmith_pages::form::FieldError;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::redirect::{see_other, with_cookie};
use url::Url;

/// The entered values, with an error.
#[derive(Default)]
pub(super) struct EnteredReason<'e> {
    pub reason: &'e str,
    pub ticket: &'e str,
    pub error: Option<FieldError<'e>>,
}

pub(super) async fn show(guest: DemoGuest) -> Result<Response, PageError> {
    if let Some(location) = canonical(&guest) {
        return Ok(see_other(&location));
    }
    EnteredReason::default().show(&guest).await
}

/// The URL of the page, for a browser that used another name of this machine: cookies and forms would belong to another
/// site.
fn canonical(guest: &DemoGuest) -> Option<String> {
    let own = Url::parse(guest.app.config.server.base_url.as_str()).ok()?;
    let named = guest.headers.get(header::HOST)?.to_str().ok()?;
    let named = Url::parse(&format!("{}://{named}", own.scheme())).ok()?;
    let is_other = named.host_str() != own.host_str() && named.port_or_known_default() == own.port_or_known_default();
    is_other.then(|| guest.at(PAGE))
}

impl<'e> EnteredReason<'e> {
    /// An error that belongs to no field.
    pub(super) fn alert(message: &'e str) -> Self {
        Self { error: Some(FieldError::of_form(message)), ..Self::default() }
    }

    /// The page for a browser, which gets a cookie if it has none.
    pub(super) async fn show(self, guest: &DemoGuest) -> Result<Response, PageError> {
        let frame = guest.frame().await?;
        let made = if guest.cookie.is_none() { Some(guest.app.random.secret(43)?) } else { None };
        let csrf = csrf(made.as_ref().or(guest.cookie.as_ref()).map_or("", String::as_str));
        let person = match guest.visit.as_ref().and_then(|visit| visit.person.as_ref()) {
            None => None,
            Some(person) => {
                let id_token = own_client::claims(&person.id_token).unwrap_or_default();
                Some(PersonView {
                    name: person.name.clone(),
                    access_token: ClaimView::of_access_token(
                        &own_client::claims(&person.api_token).unwrap_or_default(),
                    ),
                    user_info: person.user_info.as_ref().map(ClaimView::list),
                    acted: person.acted.as_ref().map(ClaimView::of_access_token),
                    may_act: guest.may_act(person),
                    entries: traces::entries(guest, person).await?,
                    deliveries: traces::deliveries(guest, person),
                    id_token: ClaimView::list(&id_token),
                })
            }
        };
        let Self { reason, ticket, error } = self;
        let page = DemoPage { frame: &frame, csrf: &csrf, error, person, reason, ticket }.answer();
        Ok(match made {
            Some(cookie) => with_cookie(page, &BrowserCookie::Demo.set(&guest.app, cookie)),
            None => page,
        })
    }
}
