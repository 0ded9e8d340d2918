//! The line on top of every page of a user: whether they can sign in, and if not, why.

use crate::caller::{Caller, segment};
use crate::operator::OperatorRole;
use claimsmith_api::users::sign_in::{ObstacleReason, ObstacleView, PluginRefusalView, SignInStateView};
use claimsmith_domain::documents::mfa::FactorType;

/// The line.
pub(super) struct SignInLine {
    pub(super) can_sign_in: bool,
    /// The reasons that they cannot, the most important first.
    pub(super) reasons: Vec<Reason>,
    /// The refusal of their last token by a plugin.
    pub(super) refusal: Option<Reason>,
    /// Whether something is locked that the operator may unlock.
    pub(super) is_to_unlock: bool,
}

/// A reason, around the time that it names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) before: String,
    /// Unix milliseconds.
    pub(super) time: Option<i64>,
    pub(super) after: String,
    /// The path of a page with details; empty if there is none.
    pub(super) path: String,
}

impl SignInLine {
    /// The line of a state.
    pub(super) fn of(caller: &Caller, state: &SignInStateView) -> Self {
        let is_lock =
            |obstacle: &ObstacleView| matches!(obstacle.reason, ObstacleReason::Locked | ObstacleReason::FactorLocked);
        let may_unlock = caller.may("POST", "/api/sentinel-activities/delete")
            && (!state.administers || caller.operator().roles.contains(&OperatorRole::Administrator));
        Self {
            can_sign_in: state.can_sign_in,
            reasons: state.obstacles.iter().map(reason).collect(),
            refusal: state.last_refusal.as_ref().map(refusal),
            is_to_unlock: may_unlock && state.obstacles.iter().any(is_lock),
        }
    }
}

fn reason(obstacle: &ObstacleView) -> Reason {
    let ObstacleView { failures, until, identifier, factor, missing, .. } = obstacle;
    let failures = failures.unwrap_or_default();
    match obstacle.reason {
        ObstacleReason::Suspended => Reason { before: "suspended".to_owned(), ..Reason::default() },
        ObstacleReason::NoWay => {
            let missing: Vec<_> = missing.iter().map(|missing| lack(missing)).collect();
            let list =
                if missing.is_empty() { "the settings allow none of theirs".to_owned() } else { missing.join(", ") };
            Reason { before: format!("no way to sign in: {list}"), ..Reason::default() }
        }
        ObstacleReason::Locked => Reason {
            before: "locked until ".to_owned(),
            time: *until,
            after: format!(
                " after {failures} wrong passwords or codes for {}",
                identifier.as_deref().unwrap_or_default()
            ),
            path: String::new(),
        },
        ObstacleReason::FactorLocked => Reason {
            before: format!("{} locked until ", factor.map_or("second factor", factor_title)),
            time: *until,
            after: format!(" after {failures} wrong attempts"),
            path: String::new(),
        },
    }
}

fn lack(missing: &str) -> &str {
    match missing {
        "password" => "no password",
        "identifier" => "no user name, email address or phone number",
        other => other,
    }
}

fn factor_title(factor: FactorType) -> &'static str {
    match factor {
        FactorType::WebAuthn => "passkey",
        FactorType::Totp => "authenticator app",
        FactorType::BackupCode => "backup codes",
        FactorType::PhoneVerificationCode => "codes by text message",
        FactorType::EmailVerificationCode => "codes by email",
    }
}

fn refusal(refusal: &PluginRefusalView) -> Reason {
    let PluginRefusalView { plugin, version, error, at, log_id, .. } = refusal;
    let version = version.as_ref().map(|version| format!(" version {version}")).unwrap_or_default();
    Reason {
        before: format!("plugin {plugin}{version} refused their last token at "),
        time: Some(*at),
        after: error.as_ref().map(|error| format!(": {error}")).unwrap_or_default(),
        path: format!("/console/logs/{}", segment(log_id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obstacle(reason: ObstacleReason) -> ObstacleView {
        ObstacleView { reason, identifier: None, factor: None, failures: None, until: None, missing: Vec::new() }
    }

    #[test]
    fn reasons_are_told_in_words() {
        let locked = ObstacleView {
            identifier: Some("ada".to_owned()),
            failures: Some(10),
            until: Some(7),
            ..obstacle(ObstacleReason::Locked)
        };
        let no_way = ObstacleView { missing: vec!["password".to_owned()], ..obstacle(ObstacleReason::NoWay) };
        let text = |told: Reason| format!("{}{}{}", told.before, told.time.map_or("", |_| "TIME"), told.after);
        assert_eq!(text(reason(&locked)), "locked until TIME after 10 wrong passwords or codes for ada");
        assert_eq!(text(reason(&no_way)), "no way to sign in: no password");
        assert_eq!(text(reason(&obstacle(ObstacleReason::Suspended))), "suspended");
        let by_plugin = PluginRefusalView {
            plugin: "boom".to_owned(),
            version: Some("2".to_owned()),
            error: Some("no boom.js:1:86".to_owned()),
            at: 7,
            request_id: None,
            log_id: "l".to_owned(),
        };
        assert_eq!(
            text(refusal(&by_plugin)),
            "plugin boom version 2 refused their last token at TIME: no boom.js:1:86"
        );
    }
}
