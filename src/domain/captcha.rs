//! The state of the captcha in an interaction: whether it was solved, and how many answers were accepted.

use serde::{Deserialize, Serialize};

/// The state of the captcha in an interaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CaptchaProgress {
    /// Number of accepted answers: each puzzle of this server is bound to one round.
    pub round: u32,
    /// Whether the captcha was solved since the interaction started or restarted.
    pub verified: bool,
}

impl CaptchaProgress {
    /// The state after the interaction restarts.
    #[must_use]
    pub fn unanswered(self) -> Self {
        Self { verified: false, ..self }
    }

    /// The state after one more accepted answer.
    #[must_use]
    pub fn answered(self) -> Self {
        Self { round: self.round.saturating_add(1), verified: true }
    }

    /// Whether no answer was accepted yet.
    #[must_use]
    pub fn is_new(&self) -> bool {
        *self == Self::default()
    }
}
