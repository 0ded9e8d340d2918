//! Calls the export of each plugin world: converts the request to WIT types, calls it, and parses the answer.

use crate::{
    Call, CallError, ClaimsRequest, Limits, MessageRequest, OutgoingMessage, Plugin, TransformRequest, Transformed,
    bindings::{
        claims::claimsmith::plugin::types::Failure,
        message::claimsmith::plugin::messages::OutgoingMessage as WitMessage,
        transform::claimsmith::plugin::webhooks::Delivery as WitDelivery,
    },
    cache::CacheCall,
    claims_answer,
    concurrency_limiter::CallPermit,
    invocation::{GuestResult, Invocation, not_called, run_on_guest_thread},
    loader::World,
    message_answer, transform_answer,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Calls a claims plugin.
pub(crate) async fn claims(plugin: &Plugin, request: &ClaimsRequest, limits: &Limits) -> Call {
    let (called, request, limits) = (plugin.clone(), request.clone(), *limits);
    run_on_guest_thread(plugin, move |permit| async move { invoke_claims(&called, &request, &limits, permit).await })
        .await
}

/// Calls a webhook transform.
pub(crate) async fn transform(plugin: &Plugin, request: &TransformRequest, limits: &Limits) -> Call<Transformed> {
    let (called, request, limits) = (plugin.clone(), request.clone(), *limits);
    run_on_guest_thread(plugin, move |permit| async move { invoke_transform(&called, &request, &limits, permit).await })
        .await
}

/// Calls a message plugin.
pub(crate) async fn compose(plugin: &Plugin, message: &OutgoingMessage, limits: &Limits) -> Call<MessageRequest> {
    let (called, message, limits) = (plugin.clone(), message.clone(), *limits);
    run_on_guest_thread(plugin, move |permit| async move { invoke_compose(&called, &message, &limits, permit).await })
        .await
}

async fn invoke_claims(plugin: &Plugin, request: &ClaimsRequest, limits: &Limits, permit: CallPermit) -> Call {
    let World::Claims(claims) = &plugin.loaded.world else { return not_called(wrong_kind(plugin)) };
    let mut invocation = match Invocation::begin(plugin, limits, request.http.as_ref(), permit) {
        Ok(invocation) => invocation,
        Err(error) => return not_called(error),
    };
    if let Some(cache) = &request.cache {
        invocation.store.data_mut().cache = CacheCall::new(Arc::clone(cache), &request.context);
    }
    let result = GuestResult::by(invocation.deadline(), claims.call(&mut invocation.store, request));
    let result = result.await;
    let read = |text: String, limits: &Limits| -> Result<(Map<String, Value>, Vec<String>), CallError> {
        claims_answer::read(&text, limits.output).map(|answer| (answer.claims, answer.dropped))
    };
    invocation.end(result, read, |name| format!("the claim \"{name}\" is reserved and was dropped"))
}

async fn invoke_transform(
    plugin: &Plugin,
    request: &TransformRequest,
    limits: &Limits,
    permit: CallPermit,
) -> Call<Transformed> {
    let World::WebhookTransform(transform) = &plugin.loaded.world else { return not_called(wrong_kind(plugin)) };
    let mut invocation = match Invocation::begin(plugin, limits, None, permit) {
        Ok(invocation) => invocation,
        Err(error) => return not_called(error),
    };
    let input = WitDelivery {
        id: request.id.to_string(),
        event: request.event.to_string(),
        hook: request.hook.to_string(),
        environment_variables: request.environment.to_vec(),
    };
    let result = GuestResult::by(invocation.deadline(), async {
        let instance = transform.instantiate_async(&mut invocation.store).await?;
        Ok(instance.call_transform(&mut invocation.store, &input).await?.map_err(Failure::from))
    });
    let result = result.await;
    let read = |outcome, limits: &Limits| {
        transform_answer::read(outcome, limits.output).map(|read| (read.transformed, read.dropped))
    };
    let mut call = invocation
        .end(result, read, |name| format!("the header \"{name}\" is not a transform's to set and was dropped"));
    // A webhook delivery has no client that could be denied access.
    if let Err(CallError::Denied(text)) = call.result {
        call.result = Err(CallError::Failed(format!("a webhook transform cannot deny access: {text}")));
    }
    call
}

async fn invoke_compose(
    plugin: &Plugin,
    message: &OutgoingMessage,
    limits: &Limits,
    permit: CallPermit,
) -> Call<MessageRequest> {
    let World::Message(composer) = &plugin.loaded.world else { return not_called(wrong_kind(plugin)) };
    let mut invocation = match Invocation::begin(plugin, limits, None, permit) {
        Ok(invocation) => invocation,
        Err(error) => return not_called(error),
    };
    let input = WitMessage {
        id: message.id.to_string(),
        channel: message.channel.to_string(),
        event: message.event.to_string(),
        recipient: message.recipient.to_string(),
        language: message.language.to_string(),
        code: message.code.as_deref().map(str::to_owned),
        link: message.link.as_deref().map(str::to_owned),
        content: message.content.to_string(),
        context: message.context.to_string(),
        environment_variables: message.environment.to_vec(),
    };
    let result = GuestResult::by(invocation.deadline(), async {
        let instance = composer.instantiate_async(&mut invocation.store).await?;
        Ok(instance.call_compose(&mut invocation.store, &input).await?.map_err(Failure::from))
    });
    let result = result.await;
    let read = |answer, limits: &Limits| {
        message_answer::read(answer, limits.output, message.http.as_deref()).map(|read| (read.request, read.dropped))
    };
    invocation.end(result, read, |name| format!("the header \"{name}\" is not a plugin's to set and was dropped"))
}

fn wrong_kind(plugin: &Plugin) -> CallError {
    CallError::Unavailable(format!("the plugin has another world: {}", plugin.kind().world()))
}
