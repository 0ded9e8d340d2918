//! Refreshes the tokens of the demo application, and calls the userinfo endpoint with them.

use super::guest::{DemoGuest, PostedBy};
use super::memory::DemoUser;
use super::show::EnteredReason;
use super::{PAGE, endpoints};
use axum::response::Response;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_pages::failure::PageError;
use claimsmith_web::redirect::see_other;

/// Refreshes both access tokens: the new ones have the plugins' current claims.
pub(super) async fn refresh(PostedBy(guest, person, _): PostedBy) -> Result<Response, PageError> {
    match renew(&guest, person).await {
        Ok(person) => {
            guest.keep(|visit| visit.person = Some(person));
            Ok(see_other(&guest.at(PAGE)))
        }
        Err(message) => EnteredReason::alert(&message).show(&guest).await,
    }
}

/// Calls the userinfo endpoint.
pub(super) async fn ask_user_info(PostedBy(guest, person, _): PostedBy) -> Result<Response, PageError> {
    match endpoints::user_info(&guest, &person.access_token).await {
        Ok(claims) => {
            guest.keep(|visit| visit.person = Some(DemoUser { user_info: Some(claims), ..person }));
            Ok(see_other(&guest.at(PAGE)))
        }
        Err(message) => EnteredReason::alert(&message).show(&guest).await,
    }
}

async fn renew(guest: &DemoGuest, mut person: DemoUser) -> Result<DemoUser, String> {
    let parameters = [("grant_type", GrantType::RefreshToken.as_str()), ("refresh_token", &*person.refresh_token)];
    let answer = endpoints::token(guest, &parameters).await?;
    person.access_token = answer.access;
    person.id_token = answer.id.unwrap_or(person.id_token);
    person.refresh_token = answer.refresh.unwrap_or(person.refresh_token);
    renew_for_api(guest, person).await
}

/// A new access token for the demo's API. It rotates the refresh token as well.
pub(super) async fn renew_for_api(guest: &DemoGuest, mut person: DemoUser) -> Result<DemoUser, String> {
    let parameters = [
        ("grant_type", GrantType::RefreshToken.as_str()),
        ("refresh_token", &*person.refresh_token),
        ("resource", &guest.demo.resource),
    ];
    let answer = endpoints::token(guest, &parameters).await?;
    person.api_token = answer.access;
    person.refresh_token = answer.refresh.unwrap_or(person.refresh_token);
    Ok(person)
}
