//! Calls the claims plugins that are scripts. Their request is one text and not the record of the WIT: taking a record
//! apart costs the runtime more than most plugins' own code.

use crate::{ClaimsRequest, bindings::claims::claimsmith::plugin::types::Failure, guest::Guest};
use serde_json::{Map, Value};
use wasmtime::{
    Store,
    component::{ComponentExportIndex, InstancePre},
};

/// The export, as the runtime knows it.
pub(super) const EXPORT: &str = "get-custom-jwt-claims: async func(request: string)";

const FUNCTION: &str = "get-custom-jwt-claims";

/// Between the parts of a request (RFC 7464). JSON texts contain it in escaped form alone.
const SEPARATOR: &str = "\u{1e}";

/// A linked script.
pub(crate) struct ClaimsScript {
    instance: InstancePre<Guest>,
    function: ComponentExportIndex,
}

impl ClaimsScript {
    pub(crate) fn new(instance: InstancePre<Guest>) -> wasmtime::Result<Self> {
        let function = instance.component().get_export_index(None, FUNCTION);
        let function = function.ok_or_else(|| wasmtime::format_err!("it exports no `{FUNCTION}`"))?;
        Ok(Self { instance, function })
    }

    pub(crate) fn instance_pre(&self) -> &InstancePre<Guest> {
        &self.instance
    }

    /// Calls it in a fresh instance.
    pub(crate) async fn call(
        &self,
        store: &mut Store<Guest>,
        request: &str,
    ) -> wasmtime::Result<Result<String, Failure>> {
        let instance = self.instance.instantiate_async(&mut *store).await?;
        let function = instance.get_typed_func::<(&str,), (Result<String, Failure>,)>(&mut *store, &self.function)?;
        Ok(function.call_async(store, (request,)).await?.0)
    }
}

/// The parts of the request, in the order in which `guest/claims.js` takes them. All but the grant's type are JSON; what
/// does not apply is empty.
pub(crate) fn request_text(request: &ClaimsRequest) -> String {
    let context = &request.context;
    let grant = context.grant.as_ref();
    let variables: Map<String, Value> =
        request.environment.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    let variables = Value::Object(variables).to_string();
    let parts = [
        Some(&*request.token),
        context.user.as_deref(),
        context.application.as_deref(),
        context.organization.as_deref(),
        context.interaction.as_deref(),
        grant.map(|grant| &*grant.grant_type),
        grant.and_then(|grant| grant.subject_token_context.as_deref()),
        Some(variables.as_str()),
    ];
    parts.map(Option::unwrap_or_default).join(SEPARATOR)
}
