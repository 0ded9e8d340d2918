//! The form that starts or changes a rollout, as the body of a request.

use crate::caller::Caller;
use crate::form::Form;
use crate::plugins::rollout_rules;
use claimsmith_api::plugin_rollouts::RolloutView;
use claimsmith_domain::documents::rollout::{MAX_ROLLOUT_MS, RolloutRules};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A day in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// The time of the server, since the console has no clock of its own.
#[derive(Deserialize)]
struct ServerTime {
    /// Unix milliseconds.
    now: i64,
}

/// The time of the server, Unix milliseconds, if the form has an end that depends on it.
pub(super) async fn server_time(caller: &Caller, form: &Form) -> Option<i64> {
    form.filled("expires")?;
    let time: Option<ServerTime> = caller.peek("/api/dashboard/health").await;
    time.map(|time| time.now)
}

/// The rollout, or the change of one that is `shown`, from the form. Every field that is wrong is marked; the error is
/// the first problem.
pub(super) fn asked(form: &Form, shown: Option<&RolloutView>, is_new: bool, now: Option<i64>) -> Result<Value, String> {
    let share: Result<i64, _> = form.text("share").parse();
    let share = share.map_err(|_| form.refuse("share", format!("“{}” is not a whole number.", form.text("share"))));
    let (end, rules) = (end_of(form, shown, now), rollout_rules::asked(form));
    let (share, end, rules) = (share?, end?, rules?);
    let mut body = Map::new();
    if is_new {
        body.insert("version".to_owned(), json!(form.text("version")));
    }
    body.insert("mode".to_owned(), json!(form.text("mode")));
    body.insert("share".to_owned(), json!(share));
    for name in ["applications", "organizations", "users"] {
        body.insert(name.to_owned(), json!(form.lines(name)));
    }
    body.extend(end.map(|end| ("expires".to_owned(), json!(end))));
    match rules {
        // Sent again, they would act with the permissions of this operator.
        Some(rules) if are_unchanged(&rules, shown) => {}
        Some(rules) => _ = body.insert("rules".to_owned(), rules),
        None if is_new => {}
        None => _ = body.insert("rules".to_owned(), Value::Null),
    }
    Ok(Value::Object(body))
}

/// Whether a rollout has these rules, and they are in force: others are set anew, with the permissions of the operator.
fn are_unchanged(rules: &Value, shown: Option<&RolloutView>) -> bool {
    let Some(shown) = shown.filter(|shown| shown.rules_in_force) else { return false };
    let rules: Option<RolloutRules> = serde_json::from_value(rules.clone()).ok();
    rules.is_some() && rules == shown.rules
}

/// The end of a rollout as days from its start, with one decimal where they are not whole.
pub(super) fn days_of(rollout: &RolloutView) -> String {
    let tenths = rollout.expires.saturating_sub(rollout.started_at).max(0) * 10 / DAY_MS;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (whole, tenth) => format!("{whole}.{tenth}"),
    }
}

/// The end that the form asks for, Unix milliseconds; none if the default one is to hold, or the present one is to
/// stay.
fn end_of(form: &Form, shown: Option<&RolloutView>, now: Option<i64>) -> Result<Option<i64>, String> {
    let Some(text) = form.filled("expires").filter(|text| shown.is_none_or(|shown| days_of(shown) != *text)) else {
        return Ok(None);
    };
    let days = text.parse::<u16>().ok().filter(|days| *days > 0);
    let days = days.ok_or_else(|| form.refuse("expires", format!("“{text}” is not a whole number of days.")))?;
    let Some(now) = now else {
        return Err(form.refuse("expires", "The time of the server is not known. Try again, or leave this empty."));
    };
    let end = shown.map_or(now, |shown| shown.started_at).saturating_add(i64::from(days) * DAY_MS);
    if end > now && end <= now.saturating_add(MAX_ROLLOUT_MS) {
        return Ok(Some(end));
    }
    Err(form.refuse("expires", "The end must be within the next 30 days."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: i64 = 1_790_000_000_000;

    fn form(fields: &[(&str, &str)]) -> Form {
        Form::of(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    /// A rollout that began at `START`.
    fn running(expires: i64, rules: &Value, rules_in_force: bool) -> Option<RolloutView> {
        let side = json!({ "runs": 0, "denied": 0, "failed": 0, "p50Us": null, "p99Us": null });
        let view = json!({
            "plugin": "plan", "version": "3", "activeVersion": "2", "mode": "canary", "state": "running",
            "reason": null,
            "share": 5, "applications": [], "organizations": [], "users": [], "rules": rules, "rulesBy": null,
            "rulesInForce": rules_in_force, "startedBy": "ada", "startedAt": START, "expires": expires, "endedBy": null,
            "endedAt": null, "results": {
                "active": side, "candidate": side, "baseline": side, "compared": 0, "classes": [], "claims": [],
                "slower": 0, "dropped": 0, "httpRefused": 0
            }
        });
        serde_json::from_value(view).ok()
    }

    #[test]
    fn a_form_is_a_rollout() {
        let filled = form(&[("version", "3"), ("mode", "canary"), ("share", "5"), ("users", "ada\n bob \n")]);
        let expected = json!({
            "version": "3", "mode": "canary", "share": 5, "applications": [], "organizations": [],
            "users": ["ada", "bob"]
        });
        assert_eq!(asked(&filled, None, true, None), Ok(expected));
        assert_eq!(asked(&filled, None, false, None).map(|body| body["rules"].clone()), Ok(Value::Null));
        let wrong = form(&[("share", "many"), ("expires", "soon"), ("rules.pauseUnder.runs", "few")]);
        assert_eq!(asked(&wrong, None, true, Some(START)), Err("“many” is not a whole number.".to_owned()));
        assert!(["share", "expires", "rules.pauseUnder.runs"].into_iter().all(|name| wrong.is_wrong(name)));
    }

    #[test]
    fn the_end_is_so_many_days_from_the_start() {
        let end = |days: &str, shown: Option<&RolloutView>, now| end_of(&form(&[("expires", days)]), shown, now);
        assert_eq!(end("", None, None), Ok(None));
        assert_eq!(end("3", None, Some(START)), Ok(Some(START + 3 * DAY_MS)));
        assert_eq!(end("30", None, Some(START)), Ok(Some(START + 30 * DAY_MS)));
        for wrong in ["31", "0", "-1", "1.5", "soon", "99999999999999999999"] {
            assert!(end(wrong, None, Some(START)).is_err(), "{wrong}");
        }
        assert!(end("3", None, None).is_err(), "without the time of the server");

        let shown = running(START + 7 * DAY_MS, &Value::Null, false);
        assert!(shown.is_some());
        assert_eq!(shown.as_ref().map(days_of).as_deref(), Some("7"));
        let now = Some(START + 5 * DAY_MS);
        assert_eq!(end("7", shown.as_ref(), None), Ok(None), "it stays");
        assert_eq!(end("10", shown.as_ref(), now), Ok(Some(START + 10 * DAY_MS)));
        assert_eq!(end("35", shown.as_ref(), now), Ok(Some(START + 35 * DAY_MS)), "30 days from now");
        assert!(end("5", shown.as_ref(), now).is_err() && end("36", shown.as_ref(), now).is_err());
        let odd = running(START + DAY_MS / 2 + 1, &Value::Null, false);
        assert_eq!(odd.as_ref().map(days_of).as_deref(), Some("0.5"));
        assert_eq!(end("0.5", odd.as_ref(), now), Ok(None), "an end that is not whole days stays as well");
    }

    #[test]
    fn rules_that_are_in_force_are_sent_only_where_they_change() {
        let rules = json!({ "pauseUnder": { "runs": 5 } });
        let sent = |runs: &str, in_force| {
            let shown = running(START + DAY_MS, &rules, in_force);
            let filled = form(&[("mode", "canary"), ("share", "5"), ("rules.pauseUnder.runs", runs)]);
            asked(&filled, shown.as_ref(), false, None).map(|body| body.get("rules").cloned())
        };
        assert_eq!(sent("5", true), Ok(None));
        assert_eq!(sent("5", false), Ok(Some(rules.clone())), "saving them puts them in force again");
        assert_eq!(sent("6", true), Ok(Some(json!({ "pauseUnder": { "runs": 6 } }))));
        assert_eq!(sent("", true), Ok(Some(Value::Null)));
    }
}
