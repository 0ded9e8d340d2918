//! The state of the captcha in an interaction: whether it was solved, and how many answers were accepted.

use serde::{Deserialize, Serialize};

/// What came of it in an interaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CaptchaProgress {
    /// How many answers were accepted so far: a puzzle of this server is for one of them.
    pub round: u32,
    /// Whether somebody answered since the interaction began, or began anew.
    pub verified: bool,
}

impl CaptchaProgress {
    /// The same for an interaction that begins anew.
    #[must_use]
    pub fn unanswered(self) -> Self {
        Self { verified: false, ..self }
    }

    /// After one more answer.
    #[must_use]
    pub fn answered(self) -> Self {
        Self { round: self.round.saturating_add(1), verified: true }
    }

    /// Whether nobody ever answered.
    #[must_use]
    pub fn is_new(&self) -> bool {
        *self == Self::default()
    }
}
