//! Pages and forms that serve a single operation. An operator without permission is refused before filling in the form;
//! the API checks again when the form is sent.

use crate::Console;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::section::Section;
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Pages by route, and the operation that the page and its form serve.
const PAGES: &[(&str, &str)] = &[
    ("/console/administrators/invitations/{id}", "POST /api/administrator-invitations/{id}/confirm"),
    ("/console/administrators/invitations/{id}/revoke", "DELETE /api/administrator-invitations/{id}"),
    ("/console/administrators/invite", "POST /api/administrator-invitations"),
    ("/console/administrators/new", "POST /api/roles/{id}/users"),
    ("/console/administrators/{role}/{user}/remove", "DELETE /api/roles/{id}/users/{userId}"),
    ("/console/applications/new", "POST /api/applications"),
    ("/console/applications/{id}/delete", "DELETE /api/applications/{id}"),
    ("/console/applications/{id}/secrets/{name}/delete", "DELETE /api/applications/{id}/secrets/{name}"),
    ("/console/impersonations/{id}/end", "DELETE /api/impersonations/{id}"),
    ("/console/keys/rotate", "POST /api/configs/oidc/{keyType}/rotate"),
    ("/console/keys/{id}/delete", "DELETE /api/configs/oidc/{keyType}/{keyId}"),
    ("/console/organizations/create", "POST /api/organizations"),
    ("/console/organizations/template/roles/{id}/delete", "DELETE /api/organization-roles/{id}"),
    ("/console/organizations/{id}/applications/add", "POST /api/organizations/{id}/applications"),
    ("/console/organizations/{id}/delete", "DELETE /api/organizations/{id}"),
    ("/console/organizations/{id}/members/add", "POST /api/organizations/{id}/users"),
    ("/console/plugins/new", "PUT /api/plugins/{name}"),
    ("/console/plugins/{name}/delete", "DELETE /api/plugins/{name}"),
    ("/console/plugins/{name}/take-over", "PUT /api/plugins/{name}"),
    ("/console/plugins/{name}/versions/{id}/delete", "DELETE /api/plugins/{name}/versions/{id}"),
    ("/console/resources/create", "POST /api/resources"),
    ("/console/resources/{id}/delete", "DELETE /api/resources/{id}"),
    ("/console/resources/{id}/scopes/{scope}", "PATCH /api/resources/{resourceId}/scopes/{scopeId}"),
    ("/console/resources/{id}/scopes/{scope}/delete", "DELETE /api/resources/{resourceId}/scopes/{scopeId}"),
    ("/console/roles/create", "POST /api/roles"),
    ("/console/roles/{id}/assign", "POST /api/roles/{id}/users"),
    ("/console/roles/{id}/delete", "DELETE /api/roles/{id}"),
    ("/console/users/create", "POST /api/users"),
    ("/console/users/export", "GET /api/users/export"),
    ("/console/users/import", "POST /api/users/import"),
    ("/console/users/{id}/delete", "DELETE /api/users/{userId}"),
    ("/console/users/{id}/impersonate", "POST /api/subject-tokens"),
    ("/console/users/{id}/suspend", "PATCH /api/users/{userId}/is-suspended"),
    ("/console/webhooks/hooks/{id}/delete", "DELETE /api/hooks/{id}"),
    ("/console/webhooks/new", "POST /api/hooks"),
];

/// Forms on pages that also display data: only their POST is checked.
const FORMS: &[(&str, &str)] = &[
    ("/console/applications/{id}", "PATCH /api/applications/{id}"),
    ("/console/applications/{id}/impersonation", "PATCH /api/applications/{id}"),
    ("/console/applications/{id}/impersonation/test", "PATCH /api/applications/{id}"),
    ("/console/connectors/{id}/sign-in-page", "PATCH /api/sign-in-exp"),
    ("/console/organizations/{id}/invitations", "POST /api/organization-invitations"),
    ("/console/organizations/template", "POST /api/organization-roles/{id}/scopes"),
    ("/console/plugins/{name}/breaker", "POST /api/plugins/{name}/breaker/close"),
    ("/console/plugins/order", "PATCH /api/plugins/{name}"),
    ("/console/roles/matrix", "POST /api/roles/{id}/scopes"),
    ("/console/roles/{id}/scopes", "POST /api/roles/{id}/scopes"),
];

/// The operation of a request, if its route serves a single one.
fn operation(method: &Method, route: &str) -> Option<(&'static str, &'static str)> {
    let forms = if method == Method::POST { FORMS } else { &[] };
    let found = PAGES.iter().chain(forms).find(|(known, _)| *known == route);
    found.and_then(|(_, operation)| operation.split_once(' '))
}

/// Refuses requests that the operator has no permission for.
pub(crate) async fn check(
    State(console): State<Console>,
    route: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Ok(caller) = Caller::from_request_parts(&mut parts, &console).await {
        let may = operation(&parts.method, route.as_str()).is_none_or(|(method, path)| caller.may(method, path));
        if !may || !Section::of(route.as_str()).is_open_to(&caller) {
            let message = format!("Your role, {}, cannot do this.", caller.operator().titles());
            return Failure::page(&caller, StatusCode::FORBIDDEN, message).into_response();
        }
    }
    next.run(Request::from_parts(parts, body)).await
}
