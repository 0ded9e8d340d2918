//! Webhook transforms.

use crate::{Changed, Delivery, Dropped, Failure};
use alloc::string::{String, ToString as _};

/// What `wit-bindgen` makes of the world `webhook-transform`.
pub mod bindings {
    #![allow(missing_docs)]
    wit_bindgen::generate!({
        path: "wit",
        world: "webhook-transform",
        pub_export_macro: true,
        export_macro_name: "export_transform",
        generate_all,
    });
}

use bindings::claimsmith::plugin::webhooks;
pub use bindings::claimsmith::plugin::{log, random};

/// What becomes of a delivery.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is sent.
    Send(Changed),
    /// It is not sent.
    Drop(Dropped),
}

impl Outcome {
    /// It is sent as it is.
    #[must_use]
    pub fn unchanged() -> Self {
        Self::Send(Changed { body: None, headers: None, path: None })
    }

    /// It is not sent, for this reason, which is kept with it.
    pub fn drop(reason: impl Into<String>) -> Self {
        Self::Drop(Dropped { drop: reason.into() })
    }
}

/// What a webhook transform is.
pub trait TransformPlugin {
    /// Says what becomes of one delivery.
    fn transform(delivery: Delivery) -> Result<Outcome, Failure>;
}

/// Makes the type the plugin of this crate.
#[macro_export]
macro_rules! transform_plugin {
    ($plugin:ty) => {
        const _: () = {
            struct Exported;
            impl $crate::transform::bindings::Guest for Exported {
                fn transform(
                    delivery: $crate::transform::bindings::Delivery,
                ) -> Result<$crate::transform::bindings::Outcome, $crate::transform::bindings::Failure> {
                    $crate::transform::answer::<$plugin>(delivery)
                }
            }
            $crate::transform::bindings::export_transform!(Exported with_types_in $crate::transform::bindings);
        };
    };
}

/// From the contract's types to the plugin's and back. Called by [`transform_plugin!`].
pub fn answer<P: TransformPlugin>(delivery: bindings::Delivery) -> Result<bindings::Outcome, bindings::Failure> {
    read(delivery).and_then(P::transform).map(written).map_err(|failure| match failure {
        Failure::Denied(text) => bindings::Failure::Denied(text),
        Failure::Failed(text) => bindings::Failure::Failed(text),
    })
}

fn read(delivery: bindings::Delivery) -> Result<Delivery, Failure> {
    let bindings::Delivery { id, event, hook, environment_variables } = delivery;
    Ok(Delivery {
        delivery_id: id,
        event: serde_json::from_str(&event)?,
        hook: serde_json::from_str(&hook)?,
        environment_variables: environment_variables.into_iter().collect(),
    })
}

fn written(outcome: Outcome) -> bindings::Outcome {
    match outcome {
        Outcome::Send(Changed { body, headers, path }) => webhooks::Outcome::Send(webhooks::Changed {
            body: body.map(|body| body.as_str().map_or_else(|| body.to_string(), String::from)),
            headers: headers.into_iter().flatten().collect(),
            path,
        }),
        Outcome::Drop(Dropped { drop }) => webhooks::Outcome::Drop(drop),
    }
}
