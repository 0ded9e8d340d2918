//! `POST /api/connectors/{id}/authorization-uri`: the URL to which a backend redirects a user who links an account. The
//! returned code goes to `POST /api/users/{userId}/identities`.

use crate::refusals::{AccessRefused, BodyRefused, NoSuchId};
use axum::Json;
use claimsmith_api::connectors::{NewAttempt, Redirect};
use claimsmith_domain::management::ConfigsRead;
use claimsmith_identity::interaction::federated::backend::{LinkRequest, address};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::Management;

/// Creates the URL at which a user signs in with a social connector.
#[utoipa::path(
    post, path = "/api/connectors/{id}/authorization-uri", tag = "Connectors",
    params(("id" = String, Path, description = "The connector")),
    request_body = NewAttempt,
    responses(
        (status = 200, description = "Where the browser goes", body = Redirect),
        BodyRefused, AccessRefused, NoSuchId,
        (status = 422, description = "No such connector, or the settings do not take it", body = ApiErrorBody),
    ),
)]
pub(super) async fn make_authorization_uri(
    management: Management<ConfigsRead>,
    Id(id): Id,
    JsonBody(body): JsonBody<NewAttempt>,
) -> Result<Json<Redirect>, ApiError> {
    let request =
        LinkRequest { connector_id: &id, state: body.state.as_str(), redirect_uri: body.redirect_uri.as_str() };
    Ok(Json(Redirect { redirect_to: address(&management.app, &request).await? }))
}
