//! The export of a claims plugin: that of a component takes the record of the WIT, that of a script one text.

#[cfg(feature = "javascript")]
use crate::javascript::{ClaimsScript, request_text};
use crate::{
    ClaimsRequest,
    bindings::claims::{
        ClaimsPre,
        claimsmith::plugin::types::{ClaimsRequest as WitRequest, Context as WitContext, Failure, Grant as WitGrant},
    },
    guest::Guest,
};
use wasmtime::{Store, component::InstancePre};

/// A linked claims plugin.
pub(crate) enum ClaimsExport {
    Component(ClaimsPre<Guest>),
    #[cfg(feature = "javascript")]
    Script(ClaimsScript),
}

impl ClaimsExport {
    pub(crate) fn instance_pre(&self) -> &InstancePre<Guest> {
        match self {
            Self::Component(component) => component.instance_pre(),
            #[cfg(feature = "javascript")]
            Self::Script(script) => script.instance_pre(),
        }
    }

    /// Calls it in a fresh instance.
    pub(crate) async fn call(
        &self,
        store: &mut Store<Guest>,
        request: &ClaimsRequest,
    ) -> wasmtime::Result<Result<String, Failure>> {
        match self {
            Self::Component(component) => {
                let variables = borrowed(&request.environment);
                let instance = component.instantiate_async(&mut *store).await?;
                instance.call_get_custom_jwt_claims(store, claims_input(request, &variables)).await
            }
            #[cfg(feature = "javascript")]
            Self::Script(script) => script.call(store, &request_text(request)).await,
        }
    }
}

fn borrowed(environment: &[(String, String)]) -> Vec<(&str, &str)> {
    environment.iter().map(|(name, value)| (&**name, &**value)).collect()
}

fn claims_input<'a>(request: &'a ClaimsRequest, variables: &'a [(&'a str, &'a str)]) -> WitRequest<'a> {
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
