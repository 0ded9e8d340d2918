//! What a plugin of each world is asked, and how its answer is read.

use crate::{
    Call, CallError, ClaimsRequest, Limits, Plugin, TransformRequest, Transformed, answer,
    bindings::{
        claims::claimsmith::plugin::types::{
            ClaimsRequest as WitRequest, Context as WitContext, Failure, Grant as WitGrant,
        },
        transform::claimsmith::plugin::webhooks::Delivery as WitDelivery,
    },
    invoke::{Answered, Calling, apart, not_called},
    loader::World,
    outcome,
    slots::Slot,
};
use serde_json::{Map, Value};

/// Asks a claims plugin.
pub(crate) async fn claims(plugin: &Plugin, request: &ClaimsRequest, limits: &Limits) -> Call {
    let (asked, request, limits) = (plugin.clone(), request.clone(), *limits);
    apart(plugin, |slot| async move { ask_for_claims(&asked, &request, &limits, slot).await }).await
}

/// Asks a webhook transform.
pub(crate) async fn transform(plugin: &Plugin, request: &TransformRequest, limits: &Limits) -> Call<Transformed> {
    let (asked, request, limits) = (plugin.clone(), request.clone(), *limits);
    apart(plugin, |slot| async move { ask_to_transform(&asked, &request, &limits, slot).await }).await
}

async fn ask_for_claims(plugin: &Plugin, request: &ClaimsRequest, limits: &Limits, slot: Slot) -> Call {
    let World::Claims(claims) = &plugin.loaded.world else { return not_called(wrong_kind(plugin)) };
    let mut calling = match Calling::begin(plugin, limits, request.http.as_ref(), slot) {
        Ok(calling) => calling,
        Err(error) => return not_called(error),
    };
    let variables = borrowed(&request.environment);
    let question = claims_question(request, &variables);
    let answered = Answered::by(calling.deadline(), async {
        let instance = claims.instantiate_async(&mut calling.store).await?;
        instance.call_get_custom_jwt_claims(&mut calling.store, question).await
    });
    let answered = answered.await;
    let read = |text: String, limits: &Limits| -> Result<(Map<String, Value>, Vec<String>), CallError> {
        answer::read(&text, limits.output).map(|answer| (answer.claims, answer.dropped))
    };
    calling.end(answered, read, |name| format!("the claim \"{name}\" is reserved and was dropped"))
}

async fn ask_to_transform(
    plugin: &Plugin,
    request: &TransformRequest,
    limits: &Limits,
    slot: Slot,
) -> Call<Transformed> {
    let World::WebhookTransform(transform) = &plugin.loaded.world else { return not_called(wrong_kind(plugin)) };
    let mut calling = match Calling::begin(plugin, limits, None, slot) {
        Ok(calling) => calling,
        Err(error) => return not_called(error),
    };
    let question = WitDelivery {
        id: request.id.to_string(),
        event: request.event.to_string(),
        hook: request.hook.to_string(),
        environment_variables: request.environment.to_vec(),
    };
    let answered = Answered::by(calling.deadline(), async {
        let instance = transform.instantiate_async(&mut calling.store).await?;
        Ok(instance.call_transform(&mut calling.store, &question).await?.map_err(Failure::from))
    });
    let answered = answered.await;
    let read =
        |outcome, limits: &Limits| outcome::read(outcome, limits.output).map(|read| (read.transformed, read.dropped));
    let mut call = calling
        .end(answered, read, |name| format!("the header \"{name}\" is not a transform's to set and was dropped"));
    // Nobody is there to be denied anything.
    if let Err(CallError::Denied(text)) = call.result {
        call.result = Err(CallError::Failed(format!("it denied: {text}")));
    }
    call
}

fn wrong_kind(plugin: &Plugin) -> CallError {
    CallError::Unavailable(format!("it is of another world: {}", plugin.kind().world()))
}

fn borrowed(environment: &[(String, String)]) -> Vec<(&str, &str)> {
    environment.iter().map(|(name, value)| (&**name, &**value)).collect()
}

fn claims_question<'a>(request: &'a ClaimsRequest, variables: &'a [(&'a str, &'a str)]) -> WitRequest<'a> {
    let context = &request.context;
    let grant = context.grant.as_ref().map(|grant| WitGrant {
        type_: &grant.grant_type,
        subject_token_context: grant.subject_token_context.as_deref(),
    });
    WitRequest {
        token: &request.token,
        context: WitContext {
            grant,
            user: context.user.as_deref(),
            application: context.application.as_deref(),
            organization: context.organization.as_deref(),
            interaction: context.interaction.as_deref(),
        },
        environment_variables: variables,
    }
}
