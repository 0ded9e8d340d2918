//! Starts a run over all users: what is asked for is checked as a whole before anything is written.

use super::super::change::{publish, refuse_folder};
use super::super::refusal::not_compiled;
use super::super::signature::check_stored;
use super::demand_users;
use super::view::view;
use crate::refusals::{AccessRefused, BodyRefused, NotCompiled, NotThere};
use axum::Json;
use axum::http::StatusCode;
use claimsmith_api::population_runs::{
    ComparedWith, PopulationRunState, PopulationRunView, RunTokenKind, StartPopulationRun,
};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::audit_key::AuditKey;
use claimsmith_domain::console::built_in;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::id::ApplicationId;
use claimsmith_domain::management::{PluginsGrant, PluginsRecordings, PluginsSecrets};
use claimsmith_domain::scope;
use claimsmith_identity::population_runs::{KEPT_MS, RunOptions, is_candidate, new_key, probe};
use claimsmith_runtime::{Manifest, Source, TokenKind};
use claimsmith_services::deployments::{self, change};
use claimsmith_services::plugins::compile;
use claimsmith_storage::applications::{self, Application};
use claimsmith_storage::plugins::population_runs::{self as stored, PopulationRun};
use claimsmith_storage::plugins::{self, Plugin, versions};
use claimsmith_storage::users::list::{self as users, Filter};
use claimsmith_storage::{self as storage, Json as Document, Tx, resources};
use claimsmith_web::error::{ApiError, ApiErrorBody};
use claimsmith_web::extract::ids::Id;
use claimsmith_web::extract::json::JsonBody;
use claimsmith_web::extract::management::{Caller, Management};
use serde_json::json;

/// The most runs of a plugin that are kept.
const MAX_RUNS: usize = 20;
/// The most HTTP requests per second.
const MAX_HTTP_PER_SECOND: u32 = 100;
/// Characters of a resource or of scopes.
const MAX_CHARS: usize = 2048;

/// What a run is about, checked.
struct AcceptedRun {
    version: i64,
    against: Option<i64>,
    source: Source,
    options: RunOptions,
    total: i64,
    wanted: i64,
}

/// Starts to run a version over all users, or a sample of them, and to compare what it answers with the active version.
///
/// Nothing is issued. One run goes on at a time; a restart continues it. Needs `users:read` as well. HTTP requests are
/// refused and counted unless `http` allows them.
#[utoipa::path(
    post, path = "/api/plugins/{name}/population-runs", tag = "Plugins",
    params(("name" = String, Path, description = "The plugin")),
    request_body = StartPopulationRun,
    responses(
        (status = 201, description = "It goes on", body = PopulationRunView),
        BodyRefused, AccessRefused, NotThere, NotCompiled,
        (status = 409, description = "Another run goes on, or the plugin is a file of the plugin folder", body = ApiErrorBody),
        (status = 422, description = "The run is refused: `data.field` says because of what", body = ApiErrorBody),
    ),
)]
pub(in super::super) async fn start_population_run(
    management: Management<PluginsRecordings>,
    Id(name): Id,
    JsonBody(body): JsonBody<StartPopulationRun>,
) -> Result<(StatusCode, Json<PopulationRunView>), ApiError> {
    demand_users(&management)?;
    if body.http.is_some() && !management.holds::<PluginsGrant>() {
        let message = "Only a caller with the scope \"plugins:grant\" may let a run over all users send HTTP requests.";
        return Err(ApiError::forbidden(message));
    }
    let accepted = {
        let mut tx = management.read().await?;
        let Some(plugin) = plugins::find(&mut tx, &name).await? else {
            drop(tx);
            refuse_folder(&management, &name)?;
            return Err(ApiError::not_found("plugin", &name));
        };
        check(&management, &mut tx, &plugin, &body).await?
    };
    let application = ApplicationId::from(body.application.clone());
    if let Some((field, problem)) = probe(&management.app, &application, &accepted.options).await? {
        return Err(refused(field, &problem));
    }
    check_stored(&management, &name, &body.version).await?;
    let job = compile::Upload { source: accepted.source.clone(), manifest: None, cases: None };
    management.app.plugins.compiler().compile(&job).await.map_err(not_compiled)?;

    let now = management.now();
    let id = management.app.random.id_at(now)?;
    let sealed_key = new_key(&management.app, &id)??;
    let run = PopulationRun {
        id,
        plugin_name: name.clone(),
        version: accepted.version,
        against: accepted.against,
        application_id: body.application.clone(),
        options: Document(serde_json::to_value(&accepted.options)?),
        state: PopulationRunState::Running.as_str().to_owned(),
        problem: None,
        total: accepted.total,
        wanted: accepted.wanted,
        visited: 0,
        compared: 0,
        skipped: 0,
        http_sent: 0,
        http_refused: 0,
        recorded: 0,
        dropped: 0,
        bytes: 0,
        reached: String::new(),
        sealed_key: Some(sealed_key),
        sealed_results: None,
        created_by: management.id().to_owned(),
        created_at: now,
        ended_at: None,
        expires_at: now + KEPT_MS,
    };
    let mut tx = management.begin().await?;
    // All nodes notice it as they notice changes of plugins.
    plugins::begin_change(&mut tx).await?;
    if stored::list(&mut tx, &name).await?.len() >= MAX_RUNS {
        let message = format!("At most {MAX_RUNS} runs of a plugin are kept. Delete one first.");
        return Err(ApiError::new(ApiCode::PluginTooManyPopulationRuns, message));
    }
    match stored::insert(&mut tx, &run).await {
        Err(storage::Error::Conflict) => {
            let message = "Another run over all users goes on: wait for its end, or cancel it.";
            return Err(ApiError::new(ApiCode::PluginPopulationRunRunning, message));
        }
        Err(storage::Error::Missing) => return Err(ApiError::not_found("plugin", &name)),
        inserted => inserted?,
    }
    let details = json!({
        "plugin": name, "run": run.id, "version": body.version, "against": run.against.map(|id| id.to_string()),
        "application": body.application, "users": run.wanted, "options": accepted.options,
    });
    tx.audit(AuditKey::ManagementPluginStartPopulationRun, details).await?;
    publish(&management, tx).await?;
    Ok((StatusCode::CREATED, Json(view(&management, run))))
}

async fn check(
    management: &Caller,
    tx: &mut Tx,
    plugin: &Plugin,
    body: &StartPopulationRun,
) -> Result<AcceptedRun, ApiError> {
    let (version, source) = candidate(tx, plugin, &body.version).await?;
    let against = match (body.against, plugin.active_version) {
        (ComparedWith::Nothing, _) => None,
        (ComparedWith::Active, None) => {
            return Err(refused("against", "no version is active; compare with \"nothing\""));
        }
        (ComparedWith::Active, Some(active)) if active == version => {
            return Err(refused("version", "it is the active version; compare it with \"nothing\""));
        }
        (ComparedWith::Active, active) => active,
    };
    let application = ApplicationId::from(body.application.clone());
    let application = applications::find(tx, &application).await?;
    let application = application.ok_or_else(|| refused("application", "there is no application with this id"))?;
    if built_in::is_client(&application.id) {
        return Err(refused("application", "plugins are never called for tokens of this application"));
    }
    let options = options(management, tx, &application, body).await?;
    let mut manifest = change::settings(plugin)?;
    manifest.enabled = true;
    check_filters(&manifest, &application, &options)?;
    let total = users::count(tx, &Filter::default()).await?;
    let wanted = match body.sample {
        None => total,
        Some(sample) if (1..=total).contains(&sample) => sample,
        Some(_) => {
            return Err(refused("sample", &format!("1 to {total} users, which is all; left out, it means all")));
        }
    };
    Ok(AcceptedRun { version, against, source, options, total, wanted })
}

/// The version to try, with its source.
async fn candidate(tx: &mut Tx, plugin: &Plugin, id: &str) -> Result<(i64, Source), ApiError> {
    let missing = || refused("version", "the plugin has no such version");
    let number: i64 = id.parse().map_err(|_| missing())?;
    let version = versions::find(tx, &plugin.name, number).await?.ok_or_else(missing)?;
    if !is_candidate(&version) {
        return Err(refused("version", "it computes no claims"));
    }
    let bytes = versions::source(tx, &plugin.name, number).await?.ok_or_else(missing)?;
    let language = deployments::language(&version.language).ok_or_else(missing)?;
    Ok((number, Source::new(plugin.name.as_str(), language, bytes)))
}

/// How the token is asked for.
async fn options(
    management: &Caller,
    tx: &mut Tx,
    application: &Application,
    body: &StartPopulationRun,
) -> Result<RunOptions, ApiError> {
    let uses_codes = application.custom_client_metadata.0.uses_codes(application.kind);
    let grant_type = match &body.grant_type {
        None if uses_codes => GrantType::AuthorizationCode,
        None => GrantType::TokenExchange,
        Some(named) => GrantType::parse(named).ok_or_else(|| refused("grantType", "there is no such grant type"))?,
    };
    if grant_type == GrantType::ClientCredentials {
        return Err(refused("grantType", "its tokens have no user"));
    }
    let id_token = body.token_kind == RunTokenKind::IdToken;
    if id_token && grant_type == GrantType::TokenExchange {
        return Err(refused("tokenKind", "an ID token comes with a sign-in alone"));
    }
    if id_token && !scope::contains(body.scope.as_deref().unwrap_or_default(), "openid") {
        return Err(refused("scope", "an ID token comes with the scope openid alone"));
    }
    for (field, text) in [("resource", &body.resource), ("scope", &body.scope)] {
        if text.as_ref().is_some_and(|text| text.chars().count() > MAX_CHARS || text.contains('\0')) {
            return Err(refused(field, &format!("at most {MAX_CHARS} characters, and no NUL")));
        }
    }
    if let Some(resource) = &body.resource {
        if *resource == *management.app.config.tokens.management_resource {
            return Err(refused("resource", "plugins are never called for tokens of the Management API"));
        }
        if resources::find_by_indicator(tx, resource).await?.is_none() {
            return Err(refused("resource", "there is no such resource"));
        }
    }
    let http_per_second = body.http.map(|http| http.per_second);
    if http_per_second.is_some_and(|per_second| !(1..=MAX_HTTP_PER_SECOND).contains(&per_second)) {
        return Err(refused("http.perSecond", &format!("1 to {MAX_HTTP_PER_SECOND} requests per second")));
    }
    Ok(RunOptions {
        grant_type: grant_type.as_str().to_owned(),
        id_token,
        resource: body.resource.clone(),
        scope: body.scope.clone(),
        http_per_second,
        with_secrets: management.holds::<PluginsSecrets>(),
        started_by: management.principal(),
    })
}

/// Refuses tokens for which the plugin is not called.
fn check_filters(manifest: &Manifest, application: &Application, options: &RunOptions) -> Result<(), ApiError> {
    let kind = if options.id_token { TokenKind::IdToken } else { TokenKind::AccessToken };
    let unmet = manifest.unmet_filter(kind, &options.grant_type, &application.id, options.resource.as_deref());
    let field = match unmet {
        None => return Ok(()),
        Some("grant_types") => "grantType",
        Some("resources") => "resource",
        Some("token_kinds") => "tokenKind",
        Some(_) => "application",
    };
    let setting = unmet.unwrap_or_default();
    Err(refused(
        field,
        &format!("the plugin is not called for such tokens: its setting {setting} does not name this one"),
    ))
}

/// 422: the message of a problem at its field.
fn refused(field: &str, problem: &str) -> ApiError {
    let issue = format!("Error in key path \"{field}\": {problem}");
    let message = format!("The run over all users is refused. {issue}.");
    ApiError::new(ApiCode::PluginPopulationRunRefused, message).with_data(json!({ "field": field, "issues": [issue] }))
}
