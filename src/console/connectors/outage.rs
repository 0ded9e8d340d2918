//! Whether the provider of a connector could not be reached at recent sign-ins, as the health of the server says.

use crate::caller::Caller;
use claimsmith_api::dashboard::{Health, ProviderOutageView};

/// The outage of a connector's provider, if there is one.
pub(super) async fn read(caller: &Caller, connector_id: &str) -> Option<ProviderOutageView> {
    let health: Health = caller.peek("/api/dashboard/health").await?;
    health.providers.into_iter().find(|outage| outage.connector_id == connector_id)
}
