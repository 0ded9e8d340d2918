//! What transforms make of a delivery.

use super::{Plugins, Run};
use std::sync::Arc;

/// One delivery before it is sent.
#[derive(Debug)]
pub struct Transform<'a> {
    /// The `webhook-id`.
    pub delivery_id: &'a str,
    /// The event's name.
    pub event: &'a str,
    /// The hook.
    pub hook_id: &'a str,
    /// Its name.
    pub hook_name: &'a str,
    /// Where to.
    pub hook_url: &'a str,
    /// The body.
    pub body: Arc<str>,
}
/// What became of it.
#[derive(Debug)]
pub struct Transformed {
    /// What is to be done.
    pub action: Action,
    /// Who was asked.
    pub runs: Vec<Run>,
}
/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Send.
    Send {
        /// Body.
        body: Arc<str>,
        /// Headers.
        headers: Vec<(String, String)>,
        /// Path.
        path: Option<String>,
    },
    /// Drop.
    Drop {
        /// Who.
        plugin: String,
        /// Why.
        reason: String,
    },
}
/// Failed.
#[derive(Debug, thiserror::Error)]
#[error("plugin {plugin} failed: {outcome}")]
pub struct TransformFailure {
    /// Who.
    pub plugin: String,
    /// How.
    pub outcome: &'static str,
    /// Runs.
    pub runs: Vec<Run>,
}
impl Plugins {
    /// Whether any.
    #[must_use]
    pub fn transforms(&self, _event: &str, _hook_id: &str, _hook_name: &str) -> bool {
        false
    }
    /// Transform.
    #[expect(clippy::unused_async)]
    pub async fn transform(&self, delivery: &Transform<'_>) -> Result<Transformed, TransformFailure> {
        let action = Action::Send { body: delivery.body.clone(), headers: vec![], path: None };
        Ok(Transformed { action, runs: vec![] })
    }
}
/// Below.
#[must_use]
pub fn below(base: &str, path: &str) -> Option<String> {
    Some(format!("{base}/{path}"))
}
