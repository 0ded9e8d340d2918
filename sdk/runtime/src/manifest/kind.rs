//! Which settings belong to which kind of plugin. A setting of the other kind is refused when a plugin is loaded, since
//! a filter that is never applied would be misleading.

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

    /// What holds where settings do not say.
    fn default_of(kind: Kind) -> Self {
        match kind {
            Kind::Claims => Self::Deny,
            Kind::WebhookTransform => Self::Retry,
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
        let fits = |kind: Kind| self.check_kind(kind).is_ok();
        match (fits(Kind::Claims), fits(Kind::WebhookTransform)) {
            (true, false) => Some(Kind::Claims),
            (false, true) => Some(Kind::WebhookTransform),
            (true, true) | (false, false) => None,
        }
    }

    /// Refuses what a plugin of this kind does not know; `origin` stands for the settings' name in errors.
    pub fn validate_for(&self, kind: Kind, origin: &str) -> Result<(), ManifestError> {
        self.check_kind(kind).map_err(|(key, message)| ManifestError::new(origin, key, message))
    }

    fn check_kind(&self, kind: Kind) -> Result<(), (&'static str, String)> {
        let (given, why): (&[(&str, bool)], &str) = match kind {
            Kind::Claims => (
                &[("events", self.events.is_some()), ("hooks", self.hooks.is_some())],
                "this is for webhook transforms, and the plugin computes claims",
            ),
            Kind::WebhookTransform => (
                &[
                    ("token_kinds", self.token_kinds.is_some()),
                    ("grant_types", self.grant_types.is_some()),
                    ("applications", self.applications.is_some()),
                    ("resources", self.resources.is_some()),
                    ("capabilities.http", self.capabilities.http.is_some()),
                ],
                "this is for claims plugins, and the plugin is a webhook transform",
            ),
        };
        if let Some((key, _)) = given.iter().find(|(_, given)| *given) {
            return Err((*key, why.to_owned()));
        }
        match (kind, self.on_error.filter(|word| word.kind() != kind)) {
            (_, None) => Ok(()),
            (Kind::Claims, Some(_)) => Err((
                "on_error",
                "a claims plugin has \"deny\" and \"skip\"; the others are for webhook transforms".to_owned(),
            )),
            (Kind::WebhookTransform, Some(_)) => {
                let message =
                    "a webhook transform has \"retry\", \"original\" and \"drop\"; the others are for claims plugins";
                Err(("on_error", message.to_owned()))
            }
        }
    }
}
