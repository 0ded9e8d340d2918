//! The status of a plugin for operators: `GET /api/plugins`.

use claimsmith_domain::documents::plugin::{Breaker, Origin, State, Statistics, StatusLimits};
use claimsmith_runtime::{Capabilities, Kind, Language, Limits, Manifest, OnError, TokenKind};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};

/// One plugin as it stands.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the answer")]
pub struct PluginStatus {
    /// Its file's name without the ending.
    pub name: Arc<str>,
    /// What it is for; unknown until it loaded.
    pub kind: Option<Kind>,
    /// Where it comes from.
    pub source: Origin,
    /// Whether it is an upload that has taken over from a file of the folder.
    pub shadows_file: bool,
    /// `javascript`, `typescript` or `wasm`; null when no version serves.
    pub language: Option<Language>,
    /// `sha256:…` of the source of the version that serves.
    pub digest: Option<Arc<str>>,
    /// The generation of the swap that put this version, with its settings, into service.
    pub generation: Option<u64>,
    /// Whether it serves.
    pub state: State,
    /// Why the newest version was refused, if it was. An active plugin then serves in its last good version.
    pub last_error: Option<String>,
    /// Whether tokens that it applies to are refused, because it is mandatory and never loaded.
    pub refuses_tokens: bool,
    /// Whether deliveries that it applies to wait, or are dropped, because it is mandatory and never loaded.
    pub holds_deliveries: bool,
    /// Its place among the others.
    pub order: i32,
    /// What its failure means: for a token `deny` or `skip`, for a webhook delivery `retry`, `original` or `drop`, for a
    /// message `retry`.
    pub on_error: OnError,
    /// The tokens that it is asked about; none for a webhook transform or a message plugin.
    pub token_kinds: Vec<TokenKind>,
    /// Whether it is to run at all.
    pub enabled: bool,
    /// The grant types that it is asked about; null means all.
    pub grant_types: Option<Vec<String>>,
    /// The client ids that it is asked about; null means all.
    pub applications: Option<Vec<String>>,
    /// The resource indicators that it is asked about; null means all.
    pub resources: Option<Vec<String>>,
    /// The events that a webhook transform is asked about; null means all.
    pub events: Option<Vec<String>>,
    /// The ids or names of the hooks whose deliveries it is asked about; null means all.
    pub hooks: Option<Vec<String>>,
    /// Its variables, without secrets; the values are `********` for a caller without `plugins:write`.
    pub environment: BTreeMap<String, String>,
    /// The names of its secrets.
    pub secrets: Vec<String>,
    /// Bytes of the source of the version that serves.
    pub size: Option<usize>,
    /// The world that it was made for.
    pub world: Option<&'static str>,
    /// The interfaces that it imports.
    pub imports: Vec<String>,
    /// What it may reach beyond its input: as its file declares, or as was declared and granted.
    pub capabilities: Capabilities,
    /// What one call may use, as far as the server allows it.
    pub limits: Option<StatusLimits>,
    /// The name of the trusted key that signed the source of the version that serves.
    pub signed_by: Option<Arc<str>>,
    /// Why no trusted key is known to have signed it, if a signature is asked for.
    pub signature_problem: Option<Arc<str>>,
    /// Its calls on this node.
    pub statistics: Statistics,
    /// Its circuit breaker, over all nodes.
    pub breaker: Breaker,
}

impl PluginStatus {
    /// An uploaded plugin that this node has not loaded yet.
    #[must_use]
    pub fn pending(name: &str) -> Self {
        let manifest = Manifest::default();
        let mut status = Self::new(name, Origin::Store, State::Failed, None, &manifest);
        status.last_error = Some("this node has not loaded it yet".to_owned());
        status
    }

    /// A plugin without an active version.
    pub(super) fn new(name: &str, source: Origin, state: State, kind: Option<Kind>, manifest: &Manifest) -> Self {
        let seems = kind.or_else(|| manifest.likely_kind()).unwrap_or(Kind::Claims);
        Self {
            name: name.into(),
            kind,
            source,
            shadows_file: false,
            language: None,
            digest: None,
            generation: None,
            state,
            last_error: None,
            refuses_tokens: false,
            holds_deliveries: false,
            order: manifest.order,
            on_error: manifest.on_error(seems),
            token_kinds: if seems == Kind::Claims { manifest.token_kinds().to_vec() } else { Vec::new() },
            enabled: manifest.enabled,
            grant_types: manifest.grant_types.clone(),
            applications: manifest.applications.clone(),
            resources: manifest.resources.clone(),
            events: manifest.events.clone(),
            hooks: manifest.hooks.clone(),
            environment: manifest.environment.clone(),
            secrets: manifest.secrets.keys().cloned().collect(),
            size: None,
            world: None,
            imports: Vec::new(),
            capabilities: manifest.capabilities.clone(),
            limits: None,
            signed_by: None,
            signature_problem: None,
            statistics: Statistics::default(),
            breaker: Breaker::default(),
        }
    }
}

/// The limits of a call, as they are shown.
pub(super) fn limits(limits: Limits) -> StatusLimits {
    StatusLimits {
        deadline_ms: u64::try_from(limits.deadline.as_millis()).unwrap_or(u64::MAX),
        memory_mib: limits.memory >> 20,
        output_kib: limits.output >> 10,
    }
}
