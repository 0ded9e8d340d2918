//! Linking an account at a connector: the redirect to the other server, and the callback at
//! `/account/callback/social/…` or `/account/callback/sso/…`.

use super::messages::field_error;
use super::overview;
use super::proof::{prove, refused};
use super::visitor::{AccountPost, AccountVisitor, at};
use crate::{callback, paths};
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use claimsmith_domain::federated::ConnectorKind;
use claimsmith_identity::interaction::federated::parameters::SignInParameters;
use claimsmith_identity::own_account::refusal::OwnAccountRefusal;
use claimsmith_identity::own_account::{identifiers, linking};
use claimsmith_services::app::App;
use claimsmith_web::extract::form::Form;
use claimsmith_web::extract::ids::Id;
use claimsmith_web::redirect::see_other;

/// Redirects the browser to a connector.
pub(super) async fn leave(AccountPost(person, form): AccountPost) -> Response {
    let path = paths::ACCOUNT_LINK;
    if let Err(asked) = prove(&person, &form, path).await {
        return asked;
    }
    let owner = &person.owner;
    let steps = async {
        let (kind, connector_id) = chosen(&form);
        identifiers::check_linkable(owner, kind).await?;
        let state = owner.app.random.secret(43)?;
        let redirect_uri = format!("{}/{connector_id}", at(&owner.app, callback_of(kind)));
        let parameters =
            SignInParameters { connector_id, state: &state, redirect_uri: &redirect_uri, hint: None, scope: None };
        linking::begin(owner, kind, &parameters).await
    };
    match steps.await {
        Ok(begun) => see_other(&begun.authorization_uri),
        Err(refusal) => refused(&person, &form, path, refusal).await,
    }
}

/// The connector of a form.
fn chosen(form: &Form) -> (ConnectorKind, &str) {
    match form.all("enterprise").next() {
        Some(id) => (ConnectorKind::Enterprise, id),
        None => (ConnectorKind::Social, form.all("connector").next().unwrap_or_default()),
    }
}

fn callback_of(kind: ConnectorKind) -> &'static str {
    match kind {
        ConnectorKind::Social => paths::ACCOUNT_CALLBACK,
        ConnectorKind::Enterprise => paths::ACCOUNT_ENTERPRISE_CALLBACK,
    }
}

/// Callback of a social connector as a form post.
pub(super) async fn forward(State(app): State<App>, Id(id): Id, headers: HeaderMap, body: Body) -> Response {
    callback::forward(&app, paths::ACCOUNT_CALLBACK, &id, &headers, body).await
}

/// Callback of an enterprise connector as a form post.
pub(super) async fn forward_enterprise(State(app): State<App>, Id(id): Id, headers: HeaderMap, body: Body) -> Response {
    callback::forward(&app, paths::ACCOUNT_ENTERPRISE_CALLBACK, &id, &headers, body).await
}

/// Callback of a social connector.
pub(super) async fn come_back(Id(id): Id, RawQuery(query): RawQuery, person: AccountVisitor) -> Response {
    arrive(&person, ConnectorKind::Social, &id, query.as_deref()).await
}

/// Callback of an enterprise connector.
pub(super) async fn come_back_enterprise(Id(id): Id, RawQuery(query): RawQuery, person: AccountVisitor) -> Response {
    arrive(&person, ConnectorKind::Enterprise, &id, query.as_deref()).await
}

/// Links the account of the callback, in the session that began it.
async fn arrive(person: &AccountVisitor, kind: ConnectorKind, id: &str, query: Option<&str>) -> Response {
    let callback = callback::read(query);
    let owner = &person.owner;
    let steps = async {
        let record = linking::awaited(owner, kind, id, &callback).await?;
        linking::verify(owner, kind, &record, &callback).await?;
        identifiers::link_returned(owner, kind, &record).await
    };
    match steps.await {
        Ok(()) => see_other(&format!("{}?saved=true", at(&owner.app, paths::ACCOUNT))),
        Err(OwnAccountRefusal::Ended) => see_other(&at(&owner.app, paths::ACCOUNT)),
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(person, None, Some(error), false).await,
            None => person.fail(&refusal),
        },
    }
}
