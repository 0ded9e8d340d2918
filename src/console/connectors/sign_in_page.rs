//! Whether the sign-in page shows a social connector, and at which place: its target in the list of the sign-in
//! experience. Only that list changes.

use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::locked_out::LockedOut;
use axum::http::Method;
use serde::Deserialize;
use serde_json::json;

/// The API path of the sign-in experience.
const SETTINGS: &str = "/api/sign-in-exp";

/// The targets that the sign-in page shows, in their order.
#[derive(Default, Deserialize)]
pub(super) struct SignInPage {
    #[serde(rename = "socialSignInConnectorTargets", default)]
    targets: Vec<String>,
}

impl SignInPage {
    pub(super) async fn read(caller: &Caller) -> Result<Self, Failure> {
        caller.get(SETTINGS).await
    }

    /// Whether it shows a target.
    pub(super) fn shows(&self, target: &str) -> bool {
        self.targets.iter().any(|shown| shown == target)
    }

    /// Whether a target has this place, counted from 1. One that is not shown has the last place.
    pub(super) fn is_at(&self, target: &str, place: usize) -> bool {
        self.targets.iter().position(|shown| shown == target).unwrap_or(self.targets.len()) + 1 == place
    }

    /// The places to choose from for a target, with their labels.
    pub(super) fn places(&self, target: &str) -> Vec<(usize, String)> {
        let others: Vec<&String> = self.targets.iter().filter(|shown| *shown != target).collect();
        let label = |place: usize| match place.checked_sub(2).and_then(|before| others.get(before)) {
            Some(before) => format!("{place}, after {before}"),
            None => "1, first".to_owned(),
        };
        (1..=others.len() + 1).map(|place| (place, label(place))).collect()
    }

    /// The targets with one of them at this place, or without it.
    fn with(&self, target: &str, place: Option<usize>) -> Vec<String> {
        let mut targets: Vec<String> = self.targets.iter().filter(|shown| *shown != target).cloned().collect();
        if let Some(place) = place {
            targets.insert(place.saturating_sub(1).min(targets.len()), target.to_owned());
        }
        targets
    }

    /// Shows a target at the place that a form asks for, or hides it, unless that locks users out.
    pub(super) async fn change(&self, caller: &Caller, target: &str, form: &Form) -> Result<(), Failure> {
        self.put(caller, self.with(target, place_of(form)), &LockedOut::refusing(SETTINGS, form)).await
    }

    /// Shows a new target at the last place.
    pub(super) async fn append(&self, caller: &Caller, target: &str) -> Result<(), Failure> {
        self.put(caller, self.with(target, Some(usize::MAX)), SETTINGS).await
    }

    async fn put(&self, caller: &Caller, targets: Vec<String>, operation: &str) -> Result<(), Failure> {
        if targets == self.targets {
            return Ok(());
        }
        caller.change(Method::PATCH, operation, json!({ "socialSignInConnectorTargets": targets })).await
    }
}

/// The place that a form asks for; none if the connector is not to be shown.
fn place_of(form: &Form) -> Option<usize> {
    form.is_ticked("shown").then(|| form.text("place").parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_shown_at_its_place() {
        let page =
            |targets: &[&str]| SignInPage { targets: targets.iter().map(|target| (*target).to_owned()).collect() };
        for (targets, place, expected) in [
            (&["a", "b"][..], Some(usize::MAX), &["a", "b", "x"][..]),
            (&["a", "b"], Some(1), &["x", "a", "b"]),
            (&["a", "b"], Some(0), &["x", "a", "b"]),
            (&["x", "a", "b"], Some(2), &["a", "x", "b"]),
            (&["a", "x"], Some(2), &["a", "x"]),
            (&["a", "x"], None, &["a"]),
            (&[], Some(1), &["x"]),
            (&[], None, &[]),
        ] {
            assert_eq!(page(targets).with("x", place), expected, "{targets:?} {place:?}");
        }
        let places = page(&["a", "x", "b"]).places("x").into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(places, ["1, first", "2, after a", "3, after b"]);
        for (targets, place) in [(&["a", "x"][..], 2), (&["a"], 2), (&[], 1)] {
            assert!(page(targets).is_at("x", place), "{targets:?}");
        }
    }
}
