//! The HTTP client of the commands: it uses no proxy and follows no redirect.

use reqwest::Client;
use std::time::Duration;

/// How long connecting to a server may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client.
pub(super) fn client() -> reqwest::Result<Client> {
    Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("claimsmith/", env!("CARGO_PKG_VERSION")))
        .build()
}
