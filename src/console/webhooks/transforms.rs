//! Plugins that transform the deliveries of a webhook: lists, binds and unbinds them.

use super::model::{self, page_of};
use crate::answer::done;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::list::Paging;
use crate::posted::Posted;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::hooks::HookView;
use claimsmith_api::plugins::{PluginStatus, PluginView};
use claimsmith_domain::documents::plugin::Origin;
use serde_json::json;

/// What the page of a webhook says of a plugin that transforms webhooks.
pub(super) trait TransformFacts {
    /// Whether it transforms the deliveries of a webhook.
    fn is_bound(&self, hook: &HookView) -> bool;
    /// Whether its settings are in the database, so that the console can change them.
    fn is_stored(&self) -> bool;
}

impl TransformFacts for PluginStatus {
    fn is_bound(&self, hook: &HookView) -> bool {
        self.hooks.as_ref().is_none_or(|hooks| hooks.iter().any(|known| *known == hook.name || **known == *hook.id))
    }

    fn is_stored(&self) -> bool {
        self.source == Origin::Store
    }
}

/// All transform plugins.
pub(super) async fn read(caller: &Caller) -> Result<Vec<PluginStatus>, Failure> {
    let all: Option<Vec<PluginView>> = caller.get_if_allowed("/api/plugins").await?;
    let all = all.unwrap_or_default().into_iter().map(|plugin| plugin.status);
    Ok(all.filter(|plugin| plugin.kind.as_deref() == Some("webhook-transform")).collect())
}

/// Binds a plugin to a webhook, or unbinds it.
pub(super) async fn bind(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let hook = model::read(&caller, &id).await?;
    let path = format!("/api/plugins/{}", segment(form.text("plugin")));
    let transform = caller.get::<PluginView>(&path).await?.status;
    let is_to_bind = form.text("do") == "bind";
    if is_to_bind == transform.is_bound(&hook) {
        return Ok(done(&page_of(&id), "saved"));
    }
    let mut hooks = match transform.hooks {
        Some(hooks) => hooks,
        None => all_hooks(&caller).await?,
    };
    hooks.retain(|known| *known != hook.name && **known != *hook.id);
    if is_to_bind {
        hooks.push(hook.id.into());
    }
    if hooks.is_empty() {
        let message = "This is the only webhook that the plugin is for, and one that names none is for all of them. \
                       Disable the plugin on its own page instead. Nothing was changed.";
        return Err(Failure::page(&caller, StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    caller.change(Method::PATCH, &path, json!({ "hooks": hooks })).await?;
    Ok(done(&page_of(&id), "saved"))
}

/// The ids of all webhooks, for a plugin that has applied to all of them until now.
async fn all_hooks(caller: &Caller) -> Result<Vec<String>, Failure> {
    let (mut ids, mut paging) = (Vec::new(), Paging::first(100));
    loop {
        let list = caller.list::<HookView>("/api/hooks", paging).await?;
        let next = list.next();
        ids.extend(list.items.into_iter().map(|hook| hook.id.into()));
        match next {
            Some(page) => paging.page = page,
            None => return Ok(ids),
        }
    }
}
