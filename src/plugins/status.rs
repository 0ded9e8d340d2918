//! What an operator sees of a plugin: `GET /api/plugins`.

use claimsmith_runtime::{Capabilities, Kind, OnError, TokenKind};
use serde::Serialize;
use std::sync::Arc;

/// One plugin as it stands.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PluginStatus {
    /// Its file's name without the ending.
    #[schema(value_type = String)]
    pub name: Arc<str>,
    /// What it is for; unknown until it loaded.
    #[schema(value_type = Option<String>, example = "claims")]
    pub kind: Option<Kind>,
    /// Where it comes from.
    pub source: &'static str,
    /// `sha256:…` of the source of the version that serves.
    #[schema(value_type = Option<String>)]
    pub digest: Option<Arc<str>>,
    /// The generation of the swap that put this version, with its settings, into service.
    pub generation: Option<u64>,
    /// Whether it serves.
    pub state: State,
    /// Why the newest version was refused, if it was. An active plugin then serves in its last good version.
    pub last_error: Option<String>,
    /// Whether tokens that it applies to are refused, because it is mandatory and never loaded.
    pub refuses_tokens: bool,
    /// Its place among the others.
    pub order: i32,
    /// What its failure means for a token.
    #[schema(value_type = String, example = "deny")]
    pub on_error: OnError,
    /// The tokens that it is asked about.
    #[schema(value_type = Vec<String>)]
    pub token_kinds: Vec<TokenKind>,
    /// The interfaces that it imports; none until it loaded.
    pub imports: Vec<String>,
    /// What it declares to need beyond its input.
    #[schema(value_type = Object)]
    pub capabilities: Capabilities,
}

/// Whether a plugin serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It serves.
    Active,
    /// Its manifest says `enabled = false`.
    Disabled,
    /// No version of it has loaded.
    Failed,
}
