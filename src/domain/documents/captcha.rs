//! The configuration of the captcha provider.

use super::hidden::HIDDEN;
use super::sign_in_experience::protection::Within;
use super::text::Text;
use claimsmith_json::present;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Default number of leading zero bits of an answer: some 130,000 attempts on average, which take a phone about a
/// second.
const DEFAULT_DIFFICULTY: u32 = 17;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(tag = "type")]
#[schema(example = json!({ "type": "ProofOfWork", "difficulty": 17 }))]
pub enum CaptchaConfig {
    /// This server: browsers solve a puzzle; no third party is involved.
    ProofOfWork {
        /// How many zero bits the digest of an answer begins with; 17 when not given. Each bit more doubles the work.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = u32, required = false, minimum = 8, maximum = 24)]
        difficulty: Option<Within<8, 24>>,
    },
    /// Cloudflare Turnstile, on pages of one's own.
    #[serde(rename_all = "camelCase")]
    Turnstile {
        /// What the page shows.
        #[schema(value_type = String, min_length = 1, max_length = 256)]
        site_key: Text<1, 256>,
        /// Shown as `********`; when it is left out or `********`, the one that there is stays.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = String, required = false, min_length = 1, max_length = 1024)]
        secret_key: Option<Text<1, 1024>>,
    },
    /// reCAPTCHA Enterprise, on pages of one's own.
    #[serde(rename_all = "camelCase")]
    RecaptchaEnterprise {
        /// What the page shows.
        #[schema(value_type = String, min_length = 1, max_length = 256)]
        site_key: Text<1, 256>,
        /// The API key. Shown as `********`; when it is left out or `********`, the one that there is stays.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = String, required = false, min_length = 1, max_length = 1024)]
        secret_key: Option<Text<1, 1024>>,
        /// The project of Google Cloud.
        #[schema(value_type = String, min_length = 1, max_length = 256)]
        project_id: Text<1, 256>,
        /// From where the page loads the script.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = String, required = false, min_length = 1, max_length = 256)]
        domain: Option<Text<1, 256>>,
        /// How the page asks.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = RecaptchaMode, required = false)]
        mode: Option<RecaptchaMode>,
    },
}

/// How a page asks with reCAPTCHA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RecaptchaMode {
    /// Invisible: a score says how likely the visitor is human.
    Invisible,
    /// There is a box to tick.
    Checkbox,
}

impl CaptchaConfig {
    /// The name of its type.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ProofOfWork { .. } => "ProofOfWork",
            Self::Turnstile { .. } => "Turnstile",
            Self::RecaptchaEnterprise { .. } => "RecaptchaEnterprise",
        }
    }

    /// Fills in the stored secret if it is omitted or hidden; `None` if there is none to keep. The secret of one
    /// provider is never kept for another.
    #[must_use]
    pub fn completed(mut self, before: Option<&Self>) -> Option<Self> {
        let known = before.filter(|before| before.kind() == self.kind()).and_then(|before| before.secret().cloned());
        match &mut self {
            Self::ProofOfWork { .. } => {}
            Self::Turnstile { secret_key, .. } | Self::RecaptchaEnterprise { secret_key, .. } => {
                if secret_key.as_ref().is_none_or(|given| given.as_str() == HIDDEN) {
                    *secret_key = known;
                }
                secret_key.as_ref()?;
            }
        }
        Some(self)
    }

    /// The configuration with the secret replaced by the placeholder.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        if let Self::Turnstile { secret_key, .. } | Self::RecaptchaEnterprise { secret_key, .. } = &mut self {
            *secret_key = Text::try_from(HIDDEN.to_owned()).ok();
        }
        self
    }

    /// The public part, which pages need to show the captcha.
    #[must_use]
    pub fn public(&self) -> Value {
        match self {
            Self::ProofOfWork { difficulty } => json!({ "type": self.kind(), "difficulty": bits(*difficulty) }),
            Self::Turnstile { site_key, .. } => json!({ "type": self.kind(), "siteKey": site_key }),
            Self::RecaptchaEnterprise { site_key, domain, mode, .. } => {
                let mut shown = json!({ "type": self.kind(), "siteKey": site_key });
                if let Some(domain) = domain {
                    shown["domain"] = json!(domain);
                }
                if let Some(mode) = mode {
                    shown["mode"] = json!(mode);
                }
                shown
            }
        }
    }

    fn secret(&self) -> Option<&Text<1, 1024>> {
        match self {
            Self::ProofOfWork { .. } => None,
            Self::Turnstile { secret_key, .. } | Self::RecaptchaEnterprise { secret_key, .. } => secret_key.as_ref(),
        }
    }
}

/// Required number of leading zero bits of an answer.
#[must_use]
pub fn bits(difficulty: Option<Within<8, 24>>) -> u32 {
    difficulty.map_or(DEFAULT_DIFFICULTY, u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(json: Value) -> Result<CaptchaConfig, serde_json::Error> {
        serde_json::from_value(json)
    }

    #[test]
    fn a_configuration_is_one_of_three() {
        let recaptcha = json!({ "type": "RecaptchaEnterprise", "siteKey": "s", "secretKey": "k", "projectId": "p",
            "domain": "www.recaptcha.net", "mode": "checkbox" });
        for (given, fits) in [
            (json!({ "type": "ProofOfWork" }), true),
            (json!({ "type": "ProofOfWork", "difficulty": 24 }), true),
            (json!({ "type": "ProofOfWork", "difficulty": 25 }), false),
            (json!({ "type": "ProofOfWork", "difficulty": 7 }), false),
            (json!({ "type": "ProofOfWork", "difficulty": null }), false),
            (json!({ "type": "Turnstile", "siteKey": "s", "secretKey": "k" }), true),
            (json!({ "type": "Turnstile", "secretKey": "k" }), false),
            (json!({ "type": "Turnstile", "siteKey": "s", "secretKey": "" }), false),
            (recaptcha, true),
            (json!({ "type": "RecaptchaEnterprise", "siteKey": "s", "secretKey": "k" }), false),
            (json!({ "type": "Other" }), false),
            (json!({}), false),
        ] {
            assert_eq!(config(given.clone()).is_ok(), fits, "{given}");
        }
    }

    #[test]
    fn a_secret_is_hidden_and_kept_for_its_provider_alone() -> Result<(), serde_json::Error> {
        let turnstile = config(json!({ "type": "Turnstile", "siteKey": "s", "secretKey": "k" }))?;
        let shown = turnstile.clone().hidden();
        assert_eq!(serde_json::to_value(&shown)?["secretKey"], "********");
        assert_eq!(turnstile.public(), json!({ "type": "Turnstile", "siteKey": "s" }));
        assert_eq!(shown.clone().completed(Some(&turnstile)).as_ref(), Some(&turnstile));
        assert_eq!(shown.clone().completed(None), None);
        let without = config(json!({ "type": "Turnstile", "siteKey": "s" }))?;
        assert_eq!(without.clone().completed(Some(&turnstile)).as_ref(), Some(&turnstile));
        let other = json!({ "type": "RecaptchaEnterprise", "siteKey": "s", "projectId": "p", "secretKey": "********" });
        assert_eq!(config(other)?.completed(Some(&turnstile)), None);
        let puzzle = config(json!({ "type": "ProofOfWork" }))?;
        assert_eq!(puzzle.clone().completed(Some(&turnstile)), Some(puzzle.clone()));
        assert_eq!(without.completed(Some(&puzzle)), None);
        Ok(())
    }
}
