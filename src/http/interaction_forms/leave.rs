//! Sends browsers from a page to another server.

use super::visitor::Visitor;
use crate::domain::federated::Door;
use crate::domain::interaction::InteractionEvent;
use crate::http::pages::paths;
use crate::http::redirect::see_other;
use crate::interaction::federated::begin::{Wish, begin};
use crate::interaction::federated::domains;
use crate::interaction::refusal::Refusal;
use crate::interaction::start::start;
use axum::response::Response;

/// The most bytes of an address.
const MAX_BYTES: usize = 128;

/// Sends whoever has such an address to the connector of their company; nothing where there is none.
pub(super) async fn leave_by_address(visitor: &mut Visitor, email: &str) -> Result<Option<Response>, Refusal> {
    if email.len() > MAX_BYTES || !email.contains('@') {
        return Ok(None);
    }
    let found = {
        let mut tx = visitor.current.app.db.read().await?;
        domains::of_email(&mut tx, &visitor.frame.settings, email).await?
    };
    match found.into_iter().next() {
        Some(connector) => {
            leave(visitor, Door::Enterprise, &connector.id, InteractionEvent::SignIn, Some(email)).await.map(Some)
        }
        None => Ok(None),
    }
}

/// Sends somebody to a connector, to sign in or to register as they wanted.
pub(super) async fn leave(
    visitor: &mut Visitor,
    door: Door,
    connector_id: &str,
    wanted: InteractionEvent,
    hint: Option<&str>,
) -> Result<Response, Refusal> {
    let current = &mut visitor.current;
    match start(current, wanted, None).await {
        // Where nobody registers people sign in, and the other way round.
        Err(Refusal::Closed) => start(current, other(wanted), None).await?,
        started => started?,
    }
    let state = current.app.random.secret(43)?;
    let redirect_uri = format!("{}{}/{connector_id}", current.app.config.server.base_url, paths::CALLBACK);
    let wish = Wish { connector_id, state: &state, redirect_uri: &redirect_uri, hint };
    Ok(see_other(&begin(current, door, &wish).await?.authorization_uri))
}

/// The other of the two.
pub(super) fn other(event: InteractionEvent) -> InteractionEvent {
    if event == InteractionEvent::Register { InteractionEvent::SignIn } else { InteractionEvent::Register }
}
