//! One call: a permit, a fresh store and instance, the guest's answer within its limits, and what went wrong if
//! there is none.

use crate::{
    Call, CallError, ClaimsRequest, HttpAccess, HttpCounts, Level, Limits, LogLine, Plugin, answer,
    bindings::claimsmith::plugin::types::{
        ClaimsRequest as WitRequest, Context as WitContext, Failure, Grant as WitGrant,
    },
    guest::{self, Guest},
    http::HttpCall,
    trap,
};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use wasmtime::PoolConcurrencyLimitError;

/// What the guest made of the request, if it ended by itself.
type Answered = wasmtime::Result<Result<String, Failure>>;

/// Calls `plugin`. Waiting for a permit counts against the deadline.
pub(crate) async fn claims(plugin: &Plugin, request: &ClaimsRequest, limits: &Limits) -> Call {
    let limits = Limits { memory: limits.memory.min(plugin.shared.options.max_memory), ..*limits };
    // No deadline is farther away than the clock can count.
    let now = Instant::now();
    let deadline = now.checked_add(limits.deadline).unwrap_or(now + Duration::from_hours(24));
    let permit = match plugin.shared.permits.take(deadline, limits.deadline).await {
        Ok(permit) => permit,
        Err(error) => return not_called(error),
    };
    let started = Instant::now();
    let metered = plugin.shared.options.metered;
    let mut store = match guest::new_store(&plugin.shared.engine, &limits, metered) {
        Ok(store) => store,
        Err(error) => return not_called(CallError::Unavailable(format!("{error:#}"))),
    };
    let at_once = guest::hostcall_bytes(&limits, request.http.as_ref().map_or(0, HttpAccess::request_bytes));
    if let Some(access) = &request.http {
        store.data_mut().http = HttpCall::new(access.clone());
        store.set_hostcall_fuel(at_once);
    }
    let variables: Vec<(&str, &str)> = request.environment.iter().map(|(name, value)| (&**name, &**value)).collect();
    let request = wit_request(request, &variables);
    let run = async {
        let instance = plugin.loaded.claims.instantiate_async(&mut store).await?;
        instance.call_get_custom_jwt_claims(&mut store, request).await
    };
    let answered = timeout_at(deadline, run).await.ok();
    let instructions = store.get_fuel().ok().filter(|_| metered).map(|left| guest::FUEL - left);
    let guest = store.into_data();
    drop(permit);
    let duration = started.elapsed();
    let peak_memory = guest.memory.peak();
    let read = outcome(plugin, answered, &guest, &limits, at_once).and_then(|text| answer::read(&text, limits.output));
    let http = guest.http.counts;
    let mut logs = guest.log.into_lines();
    for line in &mut logs {
        line.message = plugin.loaded.rewrite(std::mem::take(&mut line.message));
    }
    let (result, dropped) = match read {
        Ok(answer) => (Ok(answer.claims), answer.dropped),
        Err(error) => (Err(error), vec![]),
    };
    logs.extend(dropped.iter().map(|name| LogLine {
        level: Level::Warn,
        message: format!("the claim \"{name}\" is reserved and was dropped"),
    }));
    Call { result, dropped, logs, duration, peak_memory, instructions, http }
}

/// What came of a call that did not begin.
fn not_called(error: CallError) -> Call {
    Call {
        result: Err(error),
        dropped: vec![],
        logs: vec![],
        duration: Duration::ZERO,
        peak_memory: 0,
        instructions: None,
        http: HttpCounts::default(),
    }
}

/// The guest's text, or why there is none. A memory limit that was hit explains whatever followed from it.
fn outcome(
    plugin: &Plugin,
    answered: Option<Answered>,
    guest: &Guest,
    limits: &Limits,
    at_once: usize,
) -> Result<String, CallError> {
    if let Some(limit) = guest.memory.exceeded() {
        return Err(CallError::OutOfMemory(limit));
    }
    match answered {
        None => Err(CallError::TimedOut(limits.deadline)),
        Some(Ok(Ok(text))) => Ok(text),
        Some(Ok(Err(Failure::Denied(text)))) => Err(CallError::Denied(trap::cut(text))),
        Some(Ok(Err(Failure::Failed(text)))) => Err(CallError::Failed(plugin.loaded.rewrite(trap::cut(text)))),
        Some(Err(error)) => Err(broken(&error, at_once)),
    }
}

/// What stopped the guest, which may pass `at_once` bytes to the host at once.
fn broken(error: &wasmtime::Error, at_once: usize) -> CallError {
    if error.is::<PoolConcurrencyLimitError>() {
        CallError::Unavailable("no place for an instance is free".to_owned())
    } else if trap::is_too_much_at_once(error) {
        CallError::BadOutput(format!("more than {at_once} bytes at once"))
    } else {
        CallError::Trapped(trap::describe(error))
    }
}

fn wit_request<'a>(request: &'a ClaimsRequest, variables: &'a [(&'a str, &'a str)]) -> WitRequest<'a> {
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
