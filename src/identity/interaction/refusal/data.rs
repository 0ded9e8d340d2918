//! The `data` of a refused step: machine-readable details.

use super::{InteractionRefusal, minutes};
use claimsmith_domain::documents::mfa::FactorType;
use claimsmith_domain::password_policy::Issue;
use serde_json::{Map, Value, json};

impl InteractionRefusal {
    /// The details for clients. `next` is the route of the next step, below `/api/experience`.
    pub fn data(&self) -> Option<Value> {
        match self {
            Self::Over(again) => Some(json!({ "redirectTo": again })),
            Self::Blocked(milliseconds) => {
                Some(json!({ "relativeTime": format!("{} minutes", minutes(*milliseconds)) }))
            }
            Self::UnknownIdentity(Some(email)) => {
                Some(json!({ "relatedUser": { "type": "email", "value": email }, "next": "identification" }))
            }
            Self::SsoEnabled(connectors) => Some(json!({ "ssoConnectors": connectors })),
            Self::UnknownIdentifier(identifier) => Some(json!({ "identifier": identifier })),
            Self::NewPasswordRequired => Some(json!({ "next": "profile/password" })),
            Self::Username(issue) => issue.bound().map(|(name, number)| json!({ name: number })),
            Self::Password(issues) => Some(json!({ "issues": issues.iter().map(password_issue).collect::<Vec<_>>() })),
            Self::MissingProfile(missing) => Some(json!({ "missingProfile": missing, "next": "profile" })),
            Self::ExtraProfile(refused) => Some(json!({ "names": [refused.name], "next": "profile" })),
            Self::FactorRequired(available, masked) => {
                let next = match available.first() {
                    Some(kind) if kind.channel().is_some() => "verification/mfa-verification-code",
                    Some(FactorType::BackupCode) => "verification/backup-code/verify",
                    _ => "verification/totp/verify",
                };
                Some(json!({
                    "availableFactors": available, "maskedIdentifiers": masked_identifiers(masked), "next": next,
                }))
            }
            Self::FurtherFactorSuggested(available, masked) => Some(json!({
                "availableFactors": available, "maskedIdentifiers": masked_identifiers(masked), "skippable": true,
                "suggestion": true, "next": "profile/mfa/mfa-suggestion-skipped",
            })),
            Self::FactorSuggested(available) => Some(json!({
                "availableFactors": available, "skippable": true, "next": "profile/mfa/mfa-enabled",
            })),
            Self::FactorMissing(available, skippable) => {
                let mut data = json!({ "availableFactors": available, "next": "verification/totp/secret" });
                if *skippable {
                    data["skippable"] = Value::Bool(true);
                }
                Some(data)
            }
            Self::BackupCodesRequired => Some(json!({ "next": "verification/backup-code/generate" })),
            Self::PasskeySuggested => Some(json!({ "skippable": true, "next": "verification/web-authn/registration" })),
            Self::NotIdentified | Self::NobodyToSendTo => Some(json!({ "next": "identification" })),
            Self::NotVerified => Some(json!({ "next": "verification" })),
            _ => None,
        }
    }
}

fn masked_identifiers(masked: &[(FactorType, String)]) -> Map<String, Value> {
    masked.iter().map(|(kind, text)| (kind.as_str().to_owned(), json!(text))).collect()
}

fn password_issue(issue: &Issue) -> Value {
    match issue.bound() {
        Some((name, number)) => json!({ "code": issue.code(), "interpolation": { name: number } }),
        None => json!({ "code": issue.code() }),
    }
}
