//! `/console/plugins`: all plugins with their state, failing ones first.

use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::plugins::model::Plugin;
use crate::section::Section;
use askama::Template;
use axum::response::Response;

#[derive(Template)]
#[template(path = "plugins/list.html")]
struct ListPage {
    frame: Frame,
    plugins: Vec<Plugin>,
    /// The search text.
    q: String,
}

impl ListPage {
    /// Number of failing plugins.
    fn trouble(&self) -> usize {
        self.plugins.iter().filter(|plugin| plugin.needs_attention()).count()
    }
}

pub(super) async fn show_plugins(caller: Caller) -> Result<Response, Failure> {
    let mut plugins: Vec<Plugin> = caller.get("/api/plugins").await?;
    let q = caller.query("q").unwrap_or_default().to_owned();
    let wanted = q.to_lowercase();
    plugins.retain(|plugin| {
        let told = [
            plugin.name.as_str(),
            plugin.state.as_str(),
            plugin.kind_title(),
            plugin.last_error.as_deref().unwrap_or_default(),
            plugin.last_hour.last_error.as_deref().unwrap_or_default(),
        ];
        told.iter().any(|text| text.to_lowercase().contains(&wanted))
    });
    // Failing plugins first, then enabled ones in call order.
    plugins.sort_by(|one, other| {
        let key = |plugin: &Plugin| (!plugin.needs_attention(), !plugin.enabled, plugin.order);
        key(one).cmp(&key(other)).then_with(|| one.name.cmp(&other.name))
    });
    show(&caller, &ListPage { frame: Frame::new(&caller, Section::Plugins), plugins, q })
}
