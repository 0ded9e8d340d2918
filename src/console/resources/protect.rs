//! `/console/resources/{id}/protect`: code for an API that checks the access tokens that it receives.

use super::page::operation;
use crate::answer::show;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::ResourceFacts;
use crate::quickstart::{PROTECTED_APIS, ProtectedApi, Values};
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::response::Response;
use claimsmith_api::resources::{ResourceView, ResourceWithScopes, ScopeView};

#[derive(Template)]
#[template(path = "resources/protect.html")]
struct ProtectPage {
    frame: Frame,
    resource: ResourceView,
    chosen: &'static ProtectedApi,
    files: Vec<(&'static str, String)>,
}

impl ProtectPage {
    fn is_chosen(&self, api: &ProtectedApi) -> bool {
        api.id == self.chosen.id
    }
}

pub(super) async fn show_protect(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let resource: ResourceView = caller.get(&operation(&id, "")).await?;
    let language = caller.query("with").unwrap_or_default();
    let chosen = PROTECTED_APIS.iter().find(|api| api.id == language).or_else(|| PROTECTED_APIS.first());
    let Some(chosen) = chosen.filter(|_| resource.fixed(&caller.console().management_resource).is_none()) else {
        return Err(Failure::missing(&caller));
    };
    let scopes: Vec<ScopeView> = caller.get(&operation(&id, "/scopes")).await?;
    let values = Values {
        issuer: format!("{}/oidc", caller.console().base_url),
        api: Some(ResourceWithScopes { resource: resource.clone(), scopes }),
        ..Values::default()
    };
    let files = values.fill(&chosen.program);
    show(&caller, &ProtectPage { frame: Frame::new(&caller, Section::Resources), resource, chosen, files })
}
