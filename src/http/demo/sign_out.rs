//! Signing out: of the application, which forgets its tokens, and of the server (OpenID Connect RP-Initiated Logout).

use super::guest::PostedBy;
use super::{PAGE, endpoints};
use axum::response::Response;
use claimsmith_services::tokens;
use claimsmith_web::cookies::BrowserCookie;
use claimsmith_web::redirect::{see_other, with_cookie};

/// Deletes the visit, and redirects the browser to end its session.
pub(super) async fn sign_out(PostedBy(guest, person, _): PostedBy) -> Response {
    if let Some(cookie) = &guest.cookie {
        guest.memory.forget(&tokens::hash(cookie));
    }
    // The refresh token would outlive the session.
    endpoints::revoke(&guest, &person.refresh_token).await;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("id_token_hint", &person.id_token)
        .append_pair("post_logout_redirect_uri", &guest.at(PAGE))
        .finish();
    let response = see_other(&format!("{}/session/end?{query}", guest.app.issuer.name()));
    with_cookie(response, &BrowserCookie::Demo.clear(&guest.app))
}
