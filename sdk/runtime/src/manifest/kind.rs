//! Which settings belong to which kind of plugin. A setting of another kind is refused when a plugin is loaded, since a
//! filter that is never applied would be misleading.

use super::{Manifest, ManifestError};
use crate::Kind;
use serde::{Deserialize, Serialize};

/// What a failure of the plugin means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// Of a claims plugin: the token is not issued. A denial is no failure: it always refuses.
    Deny,
    /// Of a claims plugin: the token is issued without its claims.
    Skip,
    /// Of a webhook transform: nothing is sent now; the delivery is tried again later.
    Retry,
    /// Of a webhook transform: the delivery goes on as if it had not been called.
    Original,
    /// Of a webhook transform: the delivery is not sent at all.
    Drop,
}

impl OnError {
    /// The kind that knows the word.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::Deny | Self::Skip => Kind::Claims,
            Self::Retry | Self::Original | Self::Drop => Kind::WebhookTransform,
        }
    }

    /// What holds where settings do not say. Those of a message plugin never do: a message is tried again as long as its
    /// code or link works.
    fn default_of(kind: Kind) -> Self {
        match kind {
            Kind::Claims => Self::Deny,
            Kind::WebhookTransform | Kind::Message => Self::Retry,
        }
    }
}

impl Manifest {
    /// What a failure of a plugin of this kind means.
    #[must_use]
    pub fn on_error(&self, kind: Kind) -> OnError {
        self.on_error.filter(|word| word.kind() == kind).unwrap_or_else(|| OnError::default_of(kind))
    }

    /// The only kind of plugin that these settings fit, if they fit just one.
    #[must_use]
    pub fn likely_kind(&self) -> Option<Kind> {
        let mut fitting = Kind::ALL.into_iter().filter(|kind| self.check_kind(*kind).is_ok());
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// Refuses what a plugin of this kind does not know; `origin` stands for the settings' name in errors.
    pub fn validate_for(&self, kind: Kind, origin: &str) -> Result<(), ManifestError> {
        self.check_kind(kind).map_err(|(key, message)| ManifestError::new(origin, key, message))
    }

    fn check_kind(&self, kind: Kind) -> Result<(), (&'static str, String)> {
        const CLAIMS: &[Kind] = &[Kind::Claims];
        const TRANSFORM: &[Kind] = &[Kind::WebhookTransform];
        const REQUESTS: &[Kind] = &[Kind::Claims, Kind::Message];
        const RECORDED: &[Kind] = &[Kind::Claims, Kind::WebhookTransform];
        let settings = [
            ("token_kinds", self.token_kinds.is_some(), CLAIMS),
            ("grant_types", self.grant_types.is_some(), CLAIMS),
            ("applications", self.applications.is_some(), CLAIMS),
            ("resources", self.resources.is_some(), CLAIMS),
            ("events", self.events.is_some(), TRANSFORM),
            ("hooks", self.hooks.is_some(), TRANSFORM),
            ("capabilities.http", self.capabilities.http.is_some(), REQUESTS),
            ("capabilities.cache", self.capabilities.cache.is_some(), CLAIMS),
            ("recording", !self.recording.is_empty(), RECORDED),
        ];
        let is_foreign = |(_, given, of): &&(&str, bool, &[Kind])| *given && !of.contains(&kind);
        if let Some((key, _, of)) = settings.iter().find(is_foreign) {
            let of: Vec<_> = of.iter().map(|kind| plural(*kind)).collect();
            return Err((*key, format!("this is for {}, and the plugin {}", of.join(" and "), does(kind))));
        }
        if self.on_error.is_none_or(|word| word.kind() == kind) {
            return Ok(());
        }
        let message = match kind {
            Kind::Claims => "a claims plugin has \"deny\" and \"skip\"; the others are for webhook transforms",
            Kind::WebhookTransform => {
                "a webhook transform has \"retry\", \"original\" and \"drop\"; the others are for claims plugins"
            }
            Kind::Message => "a message plugin has none: a message is tried again as long as its code or link works",
        };
        Err(("on_error", message.to_owned()))
    }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Claims => "claims plugins",
        Kind::WebhookTransform => "webhook transforms",
        Kind::Message => "message plugins",
    }
}

fn does(kind: Kind) -> &'static str {
    match kind {
        Kind::Claims => "computes claims",
        Kind::WebhookTransform => "is a webhook transform",
        Kind::Message => "composes messages",
    }
}
