//! Sends the HTTP requests of plugins through the egress client. The runtime has already checked the grants of the
//! plugin.

use crate::egress::{Budget, Egress, EgressError, Excess, OutgoingRequest};
use claimsmith_runtime::{
    HttpAccess, HttpBudget, HttpCapability, HttpFailure, HttpFuture, HttpRequest, HttpResponse, HttpSender,
    SecretHeaders,
};
use std::sync::Arc;

/// Sends the HTTP requests of plugins.
#[derive(Clone, Debug)]
pub struct PluginHttp(Arc<Egress>);

impl PluginHttp {
    /// The client for outgoing requests.
    #[must_use]
    pub fn new(egress: Arc<Egress>) -> Self {
        Self(egress)
    }
}

impl HttpSender for PluginHttp {
    fn send(&self, request: HttpRequest) -> HttpFuture<'_> {
        let HttpRequest { method, url, mut headers, filled, secrets, body, time, response_bytes } = request;
        headers.extend(filled.into_iter().map(|header| (header.name.clone(), header.value().to_owned())));
        let budget = Budget { time, response_bytes, excess: Excess::Refused };
        let request = OutgoingRequest { method, url, headers, body: body.map(Into::into) };
        Box::pin(async move {
            match self.0.send(request, &budget).await {
                Ok(answer) => {
                    let answer = HttpResponse { status: answer.status, headers: answer.headers, body: answer.body };
                    // Here already, so that no recording sees a secret.
                    match secrets {
                        Some(secrets) => {
                            secrets.mask(answer).map_err(|message| HttpFailure { message, received: response_bytes })
                        }
                        None => Ok(answer),
                    }
                }
                Err(error) => {
                    let received = if matches!(error, EgressError::TooLarge(_)) { response_bytes } else { 0 };
                    Err(HttpFailure { message: error.to_string(), received })
                }
            }
        })
    }
}

/// The budget that the plugins of one issuance share; created for the first plugin that may send requests.
pub(super) struct Requests<'a> {
    sender: Option<&'a Arc<dyn HttpSender>>,
    shared: Option<Arc<HttpBudget>>,
}

impl<'a> Requests<'a> {
    pub(super) fn new(sender: Option<&'a Arc<dyn HttpSender>>) -> Self {
        Self { sender, shared: None }
    }

    /// What a plugin with this effective capability may send, and the headers that are filled in.
    pub(super) fn access(
        &mut self,
        capability: Option<&Arc<HttpCapability>>,
        headers: Option<&Arc<SecretHeaders>>,
    ) -> Option<HttpAccess> {
        let (capability, sender) = (capability?, self.sender?);
        let shared = self.shared.get_or_insert_with(Arc::default);
        Some(HttpAccess {
            capability: Arc::clone(capability),
            sender: Arc::clone(sender),
            headers: headers.cloned(),
            shared: Arc::clone(shared),
        })
    }
}
