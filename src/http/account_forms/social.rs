//! Linking an account elsewhere: the way to the other server, and back to `/account/callback/social/…`.

use super::guard::{ask, prove, refused};
use super::messages::field_error;
use super::overview;
use super::visitor::{AccountPost, AccountVisitor, at};
use crate::app::App;
use crate::http::callback;
use crate::http::extract::ids::Id;
use crate::http::pages::paths;
use crate::http::redirect::see_other;
use crate::interaction::federated::parameters::SignInParameters;
use crate::own_account::refusal::OwnAccountRefusal;
use crate::own_account::{identifiers, social};
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;

/// Sends somebody to a connector.
pub(super) async fn leave(AccountPost(person, form): AccountPost) -> Response {
    let path = paths::ACCOUNT_LINK;
    if let Err(asked) = prove(&person, &form, path).await {
        return asked;
    }
    let owner = &person.owner;
    let steps = async {
        identifiers::check_linkable(owner).await?;
        let connector_id = form.all("connector").next().unwrap_or_default();
        let state = owner.app.random.secret(43)?;
        let redirect_uri = format!("{}/{connector_id}", at(&owner.app, paths::ACCOUNT_CALLBACK));
        let parameters = SignInParameters { connector_id, state: &state, redirect_uri: &redirect_uri, hint: None };
        social::begin(owner, &parameters).await
    };
    match steps.await {
        Ok(begun) => see_other(&begun.authorization_uri),
        Err(OwnAccountRefusal::ProofRequired) => ask(&person, &form, path, None),
        Err(refusal) => refused(&person, &form, path, refusal).await,
    }
}

/// An answer in a form.
pub(super) async fn forward(State(app): State<App>, Id(id): Id, headers: HeaderMap, body: Body) -> Response {
    callback::forward(&app, paths::ACCOUNT_CALLBACK, &id, &headers, body).await
}

/// Somebody came back, in the session in which they left.
pub(super) async fn come_back(Id(id): Id, RawQuery(query): RawQuery, person: AccountVisitor) -> Response {
    let callback = callback::read(query.as_deref());
    let owner = &person.owner;
    let id: &str = &id;
    let steps = async {
        let record = social::awaited(owner, id, &callback).await?;
        social::verify(owner, &record, &callback).await?;
        identifiers::link_returned(owner, &record).await
    };
    match steps.await {
        Ok(()) => see_other(&format!("{}?saved=true", at(&owner.app, paths::ACCOUNT))),
        Err(OwnAccountRefusal::Ended) => see_other(&at(&owner.app, paths::ACCOUNT)),
        Err(refusal) => match field_error(&person.frame, &refusal) {
            Some(error) => overview::page(&person, None, Some(error), false).await,
            None => person.fail(&refusal),
        },
    }
}
