//! `/console/plugins/{name}/versions`: who uploaded which version when, their differences, and which one is active.

use crate::answer::{done, show};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::diff::Diff;
use crate::plugins::model::{Plugin, VersionFacts};
use crate::plugins::{api, page, read};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::Method;
use axum::response::Response;
use claimsmith_api::plugins::{VersionView, VersionWithSource};
use serde_json::json;

/// Maximum number of versions in the cost chart.
const BARS: usize = 50;

/// A bar of the cost chart: instructions of a version's golden cases, in a drawing of 1000 × 100 units.
struct Bar {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    id: String,
    is_active: bool,
    instructions: u64,
}

#[derive(Template)]
#[template(path = "plugins/versions.html")]
struct VersionsPage {
    frame: Frame,
    plugin: Plugin,
    versions: Vec<VersionView>,
    bars: Vec<Bar>,
}

impl VersionsPage {
    /// The version before the active one, for a rollback.
    fn before(&self) -> Option<&VersionView> {
        let active = self.versions.iter().position(|version| version.active)?;
        self.versions.get(active + 1)
    }
}

#[derive(Template)]
#[template(path = "plugins/version.html")]
struct VersionPage {
    frame: Frame,
    plugin: Plugin,
    version: VersionView,
    /// Its source; none for a component.
    text: Option<String>,
    /// What is to be known before it is activated.
    warnings: Vec<String>,
    /// The version to compare with.
    with: Option<VersionView>,
    source: Diff,
    cases: Diff,
    /// All versions, to choose another one to compare with.
    versions: Vec<VersionView>,
}

/// The formatted cost of a version, such as "48,211".
fn cost(version: &VersionView) -> String {
    version.instructions().map(grouped).unwrap_or_default()
}

/// Formats a number with thousands separators.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut told = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

fn bars(versions: &[VersionView]) -> Vec<Bar> {
    let mut counted: Vec<_> = versions.iter().filter_map(|version| Some((version, version.instructions()?))).collect();
    counted.truncate(BARS);
    counted.reverse();
    let most = counted.iter().map(|(_, total)| *total).max().unwrap_or(1).max(1);
    let step = 1000 / counted.len().max(8);
    let bar = |(at, (version, total)): (usize, &(&VersionView, u64))| {
        let height = usize::try_from(u128::from(*total) * 96 / u128::from(most)).unwrap_or(96).max(2);
        Bar {
            x: at * step,
            y: 100 - height,
            width: step.saturating_sub(6).clamp(4, 60),
            height,
            id: version.id.clone(),
            is_active: version.active,
            instructions: *total,
        }
    };
    counted.iter().enumerate().map(bar).collect()
}

pub(super) async fn show_versions(caller: Caller, Path(name): Path<String>) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let versions: Vec<VersionView> =
        caller.get_if_allowed(&format!("{}/versions", api(&name))).await?.unwrap_or_default();
    let bars = bars(&versions);
    show(&caller, &VersionsPage { frame: Frame::new(&caller, Section::Plugins), plugin, versions, bars })
}

/// Compares a version with `?with=`, else with the active version, else with the previous one.
pub(super) async fn show_version(
    caller: Caller,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let plugin = read(&caller, &name).await?;
    let shown: VersionWithSource = caller.get(&format!("{}/versions/{}", api(&name), segment(&id))).await?;
    let versions: Vec<VersionView> = caller.get(&format!("{}/versions", api(&name))).await?;
    let before = || versions.iter().skip_while(|version| version.id != id).nth(1).map(|version| version.id.as_str());
    let active = plugin.active_version().filter(|active| *active != id);
    let with: Option<VersionWithSource> = match caller.query("with").or(active).or_else(before) {
        Some(with) => caller.get_if_allowed(&format!("{}/versions/{}", api(&name), segment(with))).await?,
        None => None,
    };
    let of = |shown: &VersionWithSource| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        (text(&shown.source), text(&shown.cases))
    };
    let (source, cases) = of(&shown);
    let (other_source, other_cases) = with.as_ref().map(of).unwrap_or_default();
    let (source, cases) = (Diff::of(&other_source, &source), Diff::of(&other_cases, &cases));
    let frame = Frame::new(&caller, Section::Plugins);
    let VersionWithSource { version, source: text, warnings, .. } = shown;
    let with = with.map(|with| with.version);
    show(&caller, &VersionPage { frame, plugin, version, text, warnings, with, source, cases, versions })
}

pub(super) async fn activate_version(
    Path((name, id)): Path<(String, String)>,
    posted: Posted,
) -> Result<Response, Failure> {
    let Posted { caller, form } = posted;
    let path = format!("{}/versions/{}/activate", api(&name), segment(&id));
    caller.write_if(Method::POST, &path, json!({}), form.filled("etag")).await?;
    Ok(done(&page(&name, "versions"), "activated"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn costs_are_drawn_from_the_oldest_on() {
        let version = |id: &str, instructions: Value| VersionView {
            id: id.to_owned(),
            digest: String::new(),
            language: "javascript".to_owned(),
            size: 1,
            signed_by: None,
            active: false,
            created_at: 0,
            created_by: String::new(),
            label: None,
            note: None,
            facts: json!({ "instructions": instructions }),
            exports: Vec::new(),
            http: None,
        };
        let counted = |id: &str, total: u64| version(id, json!({ "total": total }));
        let bars = bars(&[counted("2", 2000), counted("1", 1000), version("0", Value::Null)]);
        assert_eq!(bars.iter().map(|bar| (bar.id.as_str(), bar.height)).collect::<Vec<_>>(), [("1", 48), ("2", 96)]);
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
