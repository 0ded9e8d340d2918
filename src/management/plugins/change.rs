//! A change of an uploaded plugin: begins the transaction that excludes other changes, checks If-Match, commits, and
//! answers once the change is active on this node.

use super::view::{self, entity_tag, file_tag, folder_tag, tagged};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_services::connectors;
use claimsmith_services::deployments::rollouts;
use claimsmith_services::plugins::{Origin, PluginStatus};
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::Tx;
use claimsmith_storage::plugins::{self, Plugin};
use claimsmith_web::error::ApiError;
use claimsmith_web::extract::management::Caller;
use std::convert::Infallible;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

/// What a change demands of the plugin as it is.
pub(crate) struct IfMatch {
    /// The entity tags of `If-Match`, one of which must match (RFC 9110 section 13.1.1); `None` without the header.
    tags: Option<String>,
    /// Whether `If-None-Match: *` demands that there is no such plugin yet (section 13.1.2).
    is_new: bool,
}

/// What a change affects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeScope {
    /// The active version or the settings.
    Serving,
    /// A stored version that is not active.
    Stored,
    /// The rollout, or what may change while one runs.
    Rollout,
}

/// A change in progress.
pub(super) struct PluginChange {
    /// Its transaction.
    pub(super) tx: UnitOfWork,
    /// The plugin before the change.
    pub(super) plugin: Option<Plugin>,
}

impl PluginChange {
    /// Begins to change the plugin with that name, whose entity tag must match.
    pub(super) async fn begin(management: &Caller, name: &str, seen: &IfMatch) -> Result<Self, ApiError> {
        Self::begin_of(management, name, seen, ChangeScope::Serving).await
    }

    /// The same for a change of this scope.
    pub(super) async fn begin_of(
        management: &Caller,
        name: &str,
        seen: &IfMatch,
        scope: ChangeScope,
    ) -> Result<Self, ApiError> {
        let this = Self::begin_any(management, name, seen, scope).await?;
        if this.plugin.is_none() {
            refuse_folder(management, name)?;
        }
        Ok(this)
    }

    /// The same for an upload that may replace a file of the plugin folder.
    pub(super) async fn begin_any(
        management: &Caller,
        name: &str,
        seen: &IfMatch,
        scope: ChangeScope,
    ) -> Result<Self, ApiError> {
        let folder = seen.tags_of_folder(management, name).await;
        let mut tx = management.begin().await?;
        plugins::begin_change(&mut tx).await?;
        check_connectors(management, &mut tx, name, scope).await?;
        let plugin = plugins::find(&mut tx, name).await?;
        seen.check(plugin.as_ref(), &folder)?;
        if scope == ChangeScope::Serving {
            refuse_rollout(&mut tx, name).await?;
        }
        Ok(Self { tx, plugin })
    }

    /// The same for a plugin that must exist.
    pub(super) async fn begin_existing(
        management: &Caller,
        name: &str,
        seen: &IfMatch,
    ) -> Result<(UnitOfWork, Plugin), ApiError> {
        Self::begin_existing_of(management, name, seen, ChangeScope::Serving).await
    }

    /// The same for a change of this scope.
    pub(super) async fn begin_existing_of(
        management: &Caller,
        name: &str,
        seen: &IfMatch,
        scope: ChangeScope,
    ) -> Result<(UnitOfWork, Plugin), ApiError> {
        let Self { tx, plugin } = Self::begin_of(management, name, seen, scope).await?;
        Ok((tx, plugin.ok_or_else(|| ApiError::nothing_to_change("plugin", name))?))
    }
}

/// Refuses to change the active version or settings of a plugin that composes a connector's messages, unless the caller
/// may change the connector.
pub(super) async fn check_connectors(
    management: &Caller,
    tx: &mut Tx,
    name: &str,
    scope: ChangeScope,
) -> Result<(), ApiError> {
    if scope != ChangeScope::Stored && connectors::compose_by(tx, &management.app.cipher, name).await? {
        management.demand_connectors()?;
    }
    Ok(())
}

/// 409 while a rollout of the plugin is running or paused: its results would be about something else.
pub(super) async fn refuse_rollout(tx: &mut Tx, name: &str) -> Result<(), ApiError> {
    if rollouts::open(tx, name).await?.is_some() { Err(rollout_running(name)) } else { Ok(()) }
}

/// The error for a change during a rollout.
pub(super) fn rollout_running(name: &str) -> ApiError {
    let message = format!("A rollout of the plugin {name:?} is running or paused: promote or abort it first.");
    ApiError::new(ApiCode::PluginRolloutRunning, message)
}

/// 409 where the configuration demands another principal than the one that uploaded a version.
pub(super) fn demand_second_person(management: &Caller, uploaded_by: &str) -> Result<(), ApiError> {
    if management.app.config.plugins.require_second_person && uploaded_by == management.id() {
        let message = "This server requires a second person (plugins.require_second_person): who uploaded a version does \
            not activate it. Upload it with activate=false, and let somebody else activate or promote it.";
        return Err(ApiError::new(ApiCode::PluginSecondPersonRequired, message));
    }
    Ok(())
}

/// Commits, waits until the change is active on this node, and shows the plugin.
pub(super) async fn finish(management: &Caller, tx: UnitOfWork, name: &str) -> Result<Response, ApiError> {
    publish(management, tx).await?;
    let found = view::find(management, name).await?;
    let (plugin, tag) = found.ok_or_else(|| ApiError::not_found("plugin", name))?;
    Ok(tagged(StatusCode::OK, &tag, plugin))
}

/// Commits, and waits until the change is active on this node. It is committed even if this node cannot load it.
pub(super) async fn publish(management: &Caller, tx: UnitOfWork) -> Result<(), ApiError> {
    tx.commit().await?;
    if let Err(error) = management.app.deployments.catch_up().await {
        tracing::warn!(%error, "a plugin change was saved, but this node could not load it yet; it will try again");
    }
    Ok(())
}

/// 409 when the name belongs to a file of the plugin folder.
pub(super) fn refuse_folder(management: &Caller, name: &str) -> Result<(), ApiError> {
    if status_of_folder(management, name).is_some() {
        let message = format!(
            "The plugin {name:?} is a file of the plugin folder, which the API only reads. An upload takes over from it \
             with takeOver=true."
        );
        return Err(ApiError::new(ApiCode::PluginNameInUse, message));
    }
    Ok(())
}

/// The active plugin of the folder with this name.
fn status_of_folder(management: &Caller, name: &str) -> Option<PluginStatus> {
    let is_it = |status: &PluginStatus| &*status.name == name && status.source == Origin::Folder;
    management.app.plugins.list().into_iter().find(is_it)
}

impl IfMatch {
    /// Matches any state.
    pub(super) fn anything() -> Self {
        Self { tags: None, is_new: false }
    }

    /// The entity tags of the plugin of the folder: of the active version, and of its current file, which differ if the
    /// file is disabled or refused. Empty if there is no such plugin, or without `If-Match`.
    pub(super) async fn tags_of_folder(&self, management: &Caller, name: &str) -> Vec<String> {
        let Some(status) = self.tags.as_ref().and_then(|_| status_of_folder(management, name)) else {
            return Vec::new();
        };
        let file = management.app.plugins.files_of_folder(name).await.ok().flatten();
        [folder_tag(&status)].into_iter().chain(file.map(|file| file_tag(&file.source))).collect()
    }

    /// 412 unless the entity tag of the plugin matches; that of the folder's plugin if none was uploaded.
    pub(super) fn check(&self, plugin: Option<&Plugin>, folder: &[String]) -> Result<(), ApiError> {
        if self.is_new && plugin.is_some() {
            let message = "There is a plugin of this name already, and If-None-Match demands that there is none.";
            return Err(ApiError::new(ApiCode::RequestPreconditionFailed, message));
        }
        let Some(seen) = &self.tags else { return Ok(()) };
        let uploaded = plugin.map(entity_tag);
        let tags = uploaded.as_ref().map_or(folder, std::slice::from_ref);
        let matches = seen.split(',').map(str::trim).any(|seen| tags.iter().any(|tag| seen == "*" || seen == tag));
        if matches {
            return Ok(());
        }
        let message = "The plugin was changed since the revision in If-Match.";
        Err(ApiError::new(ApiCode::RequestPreconditionFailed, message))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let values: Vec<&str> =
            parts.headers.get_all(header::IF_MATCH).iter().map(|value| value.to_str().unwrap_or("")).collect();
        let is_new = parts.headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == b"*");
        Ok(Self { tags: (!values.is_empty()).then(|| values.join(",")), is_new })
    }
}

impl IntoParams for IfMatch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = ParameterBuilder::new()
            .name("If-Match")
            .parameter_in(ParameterIn::Header)
            .description(Some("The `ETag` of the plugin as it was seen: 412 if it was changed since"))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        vec![parameter.build()]
    }
}
