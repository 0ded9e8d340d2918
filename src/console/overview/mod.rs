//! `/console`: health, activity and the first setup steps; a search of people for those who help them.

mod activity;
mod health;
mod steps;
mod support;

use crate::Console;
use crate::answer::show;
use crate::caller::Caller;
use crate::chart::Chart;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use activity::{PluginRow, RANGES, Range};
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use claimsmith_api::dashboard::{ActivityView, Health};
use health::HealthLine;
use steps::SetupStep;

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new().route("/console", get(show_overview))
}

#[derive(Template)]
#[template(path = "overview/overview.html")]
struct OverviewPage {
    frame: Frame,
    /// The setup steps; empty once all are done.
    steps: Vec<SetupStep>,
    health: Option<Health>,
    lines: Vec<HealthLine>,
    range: &'static Range,
    has_activity: bool,
    charts: Vec<Chart>,
    plugins: Vec<PluginRow>,
}

async fn show_overview(caller: Caller) -> Result<Response, Failure> {
    if support::is_start(&caller) {
        return support::show_start(caller).await;
    }
    let range = Range::find(caller.query("range"));
    let health: Option<Health> = caller.get_if_allowed("/api/dashboard/health").await?;
    // Uses the server's time, because the console has no clock of its own.
    let now = health.as_ref().map(|health| health.now);
    let activity: Option<ActivityView> = caller.get_if_allowed(&range.path(now)).await?;
    let page = OverviewPage {
        frame: Frame::new(&caller, Section::Overview),
        steps: health.as_ref().map(|health| steps::open(&health.counts)).unwrap_or_default(),
        lines: health.as_ref().map(health::lines).unwrap_or_default(),
        health,
        range,
        has_activity: activity.is_some(),
        charts: activity.as_ref().map(|activity| activity::charts(activity, range)).unwrap_or_default(),
        plugins: activity.as_ref().map(|activity| activity::plugins(activity, range)).unwrap_or_default(),
    };
    show(&caller, &page)
}

impl OverviewPage {
    /// The number of objects per section.
    fn tiles(&self) -> Vec<(Section, i64)> {
        let Some(Health { counts, .. }) = &self.health else { return Vec::new() };
        vec![
            (Section::Users, counts.users),
            (Section::Organizations, counts.organizations),
            (Section::Applications, counts.applications),
            (Section::Resources, counts.resources),
            (Section::Roles, counts.roles),
            (Section::Plugins, i64::try_from(counts.plugins).unwrap_or(i64::MAX)),
            (Section::Webhooks, counts.hooks),
            (Section::Connectors, counts.connectors),
        ]
    }
}
