//! One loaded plugin, and its calls.

use crate::{
    Call, CallError, ClaimsRequest, Kind, Limits, MessageRequest, OutgoingMessage, TransformRequest, Transformed,
    exports, host_state::HostState, loader::LoadedComponent, rehearsal::Rehearsal,
};
use std::sync::Arc;
use tracing::Span;

/// One compiled, linked and tried plugin. In-flight calls keep the version that they started with. Cheap to clone.
#[derive(Clone)]
pub struct Plugin {
    pub(crate) shared: Arc<HostState>,
    pub(crate) name: Arc<str>,
    pub(crate) digest: Arc<str>,
    pub(crate) loaded: Arc<LoadedComponent>,
    pub(crate) rehearsal: Rehearsal,
}

impl Plugin {
    /// What it is for.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.loaded.world.kind()
    }

    /// The digest of the source it was made from ([`Source::digest`](crate::Source::digest)).
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The interfaces that it imports, such as `claimsmith:plugin/log`.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.loaded.imports
    }

    /// The size of the component that is called, in bytes; of a source that was one already, its own.
    #[must_use]
    pub fn component_size(&self) -> usize {
        self.loaded.size
    }

    /// Asks for claims, in a fresh instance, within `limits`, on threads of the host's own: the caller's runs no guest.
    #[tracing::instrument(name = "plugin.call", skip_all, fields(plugin = &*self.name, digest = &*self.digest, outcome))]
    pub async fn get_custom_jwt_claims(&self, request: &ClaimsRequest, limits: &Limits) -> Call {
        let call = exports::claims(self, request, limits).await;
        Span::current().record("outcome", call.result.as_ref().map_or_else(CallError::outcome, |_| "ok"));
        call
    }

    /// Hands over a delivery, in a fresh instance, within `limits`. As [`Self::get_custom_jwt_claims`].
    #[tracing::instrument(name = "plugin.call", skip_all, fields(plugin = &*self.name, digest = &*self.digest, outcome))]
    pub async fn transform(&self, request: &TransformRequest, limits: &Limits) -> Call<Transformed> {
        let call = exports::transform(self, request, limits).await;
        Span::current().record("outcome", call.result.as_ref().map_or_else(CallError::outcome, |_| "ok"));
        call
    }

    /// Hands over a message, for the request that sends it. As [`Self::get_custom_jwt_claims`].
    #[tracing::instrument(name = "plugin.call", skip_all, fields(plugin = &*self.name, digest = &*self.digest, outcome))]
    pub async fn compose(&self, message: &OutgoingMessage, limits: &Limits) -> Call<MessageRequest> {
        let call = exports::compose(self, message, limits).await;
        Span::current().record("outcome", call.result.as_ref().map_or_else(CallError::outcome, |_| "ok"));
        call
    }
}
