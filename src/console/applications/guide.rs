//! The quickstart of an application: code snippets filled with its values.

use super::model::{ApplicationFacts, TypeFacts, read};
use super::snippets::{self, Snippet, Values};
use crate::answer::show as show_page;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::applications::ApplicationDetails;
use claimsmith_api::resources::ResourceWithScopes;

/// Options of the quickstart page.
#[derive(Default)]
pub(super) struct Guide {
    /// The client secret, available only right after creation.
    pub(super) secret: Option<String>,
    /// Whether the application has just been created.
    pub(super) is_new: bool,
    /// The id of the selected snippet.
    pub(super) chosen: String,
}

#[derive(Template)]
#[template(path = "applications/guide.html")]
struct GuidePage {
    frame: Frame,
    app: ApplicationDetails,
    guide: Guide,
    snippets: &'static [Snippet],
    snippet: &'static Snippet,
    files: Vec<(&'static str, String)>,
}

impl GuidePage {
    fn is_chosen(&self, snippet: &Snippet) -> bool {
        snippet.id == self.snippet.id
    }
}

pub(super) async fn show_guide(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let app = read(&caller, &id).await?;
    let chosen = caller.query("with").unwrap_or_default().to_owned();
    show(&caller, app, Guide { chosen, ..Guide::default() }).await
}

/// Shows the quickstart of an application.
pub(super) async fn show(caller: &Caller, app: ApplicationDetails, guide: Guide) -> Result<Response, Failure> {
    let snippets = snippets::of(app.application.kind());
    let Some(snippet) = snippets.iter().find(|snippet| snippet.id == guide.chosen).or_else(|| snippets.first()) else {
        return Err(Failure::missing(caller));
    };
    let resources: Option<Vec<ResourceWithScopes>> =
        caller.get_if_allowed("/api/resources?includeScopes=true&page=1&page_size=20").await?;
    let own_api = format!("{}/api", caller.console().base_url);
    let resource = resources.unwrap_or_default().into_iter().find(|listed| listed.resource.indicator != own_api);
    let values = Values {
        base_url: caller.console().base_url.to_string(),
        client_id: app.application.id.to_string(),
        client_secret: guide.secret.clone(),
        redirect_uri: app.application.redirect_uris().first().cloned(),
        resource: resource.as_ref().map(|listed| listed.resource.indicator.clone()),
        scope: resource.map(|listed| listed.scopes.into_iter().map(|scope| scope.name).collect::<Vec<_>>().join(" ")),
    };
    let files = snippet.files.iter().map(|(name, text)| (*name, values.fill(text))).collect();
    let frame = Frame::new(caller, Section::Applications);
    show_page(caller, &GuidePage { frame, app, guide, snippets, snippet, files })
}
