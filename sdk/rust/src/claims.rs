//! Claims plugins.

use crate::{Claims, ClaimsRequest, Context, Failure, Grant};
use alloc::string::String;

/// What `wit-bindgen` makes of the world `claims`.
pub mod bindings {
    #![allow(missing_docs)]
    wit_bindgen::generate!({
        path: "wit",
        world: "claims",
        pub_export_macro: true,
        export_macro_name: "export_claims",
        generate_all,
    });
}

pub use bindings::claimsmith::plugin::{http, log, random};

/// What a claims plugin is.
pub trait ClaimsPlugin {
    /// Computes the claims of one token.
    fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure>;
}

/// Makes the type the plugin of this crate.
#[macro_export]
macro_rules! claims_plugin {
    ($plugin:ty) => {
        const _: () = {
            struct Exported;
            impl $crate::claims::bindings::Guest for Exported {
                fn get_custom_jwt_claims(
                    request: $crate::claims::bindings::ClaimsRequest,
                ) -> Result<$crate::alloc::string::String, $crate::claims::bindings::Failure> {
                    $crate::claims::answer::<$plugin>(request)
                }
            }
            $crate::claims::bindings::export_claims!(Exported with_types_in $crate::claims::bindings);
        };
    };
}

/// From the contract's types to the plugin's and back. Called by [`claims_plugin!`].
pub fn answer<P: ClaimsPlugin>(request: bindings::ClaimsRequest) -> Result<String, bindings::Failure> {
    let answered = read(request).and_then(P::get_custom_jwt_claims);
    let written = answered.and_then(|claims| Ok(serde_json::to_string(&claims)?));
    written.map_err(|failure| match failure {
        Failure::Denied(text) => bindings::Failure::Denied(text),
        Failure::Failed(text) => bindings::Failure::Failed(text),
    })
}

fn read(request: bindings::ClaimsRequest) -> Result<ClaimsRequest, Failure> {
    let bindings::ClaimsRequest { token, context, environment_variables } = request;
    let grant = match context.grant {
        Some(grant) => {
            let said = grant.subject_token_context.map(|json| serde_json::from_str(&json)).transpose()?;
            Some(Grant { grant_type: grant.type_, subject_token_context: said })
        }
        None => None,
    };
    Ok(ClaimsRequest {
        token: serde_json::from_str(&token)?,
        context: Context {
            grant,
            user: context.user.map(|json| serde_json::from_str(&json)).transpose()?,
            application: context.application.map(|json| serde_json::from_str(&json)).transpose()?,
            organization: context.organization.map(|json| serde_json::from_str(&json)).transpose()?,
            interaction: context.interaction.map(|json| serde_json::from_str(&json)).transpose()?,
        },
        environment_variables: environment_variables.into_iter().collect(),
    })
}
