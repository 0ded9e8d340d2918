//! The response of another server, as the browser brings it back: the query of the redirect URI, or a form, which is
//! turned into a query.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use claimsmith_identity::interaction::federated::parameters::Callback;
use claimsmith_services::app::App;
use claimsmith_web::extract::form::Form;
use claimsmith_web::redirect::see_other;

/// The parameters of the protocol.
const NAMES: [&str; 4] = ["code", "state", "error", "iss"];

/// Reads a query.
pub(crate) fn read(query: Option<&str>) -> Callback {
    let query = Form::of_query(query.unwrap_or_default()).unwrap_or_default();
    // Repeated parameters are ambiguous, so none of their values is used.
    let one = |name: &str| {
        let mut values = query.all(name);
        values.next().filter(|_| values.next().is_none()).map(str::to_owned)
    };
    Callback { state: one("state"), code: one("code"), error: one("error"), issuer: one("iss") }
}

/// A form post arrives without cookies, since it comes from another site: the browser is redirected to `path` by GET,
/// which sends them. The connector's id follows the path.
pub(crate) async fn forward(app: &App, path: &str, id: &str, headers: &HeaderMap, body: Body) -> Response {
    let Ok(form) = Form::read(headers, body).await else { return StatusCode::BAD_REQUEST.into_response() };
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form.pairs().filter(|(name, _)| NAMES.contains(name)) {
        query.append_pair(name, value);
    }
    let id: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    see_other(&format!("{}{path}/{id}?{}", app.config.server.base_url, query.finish()))
}
