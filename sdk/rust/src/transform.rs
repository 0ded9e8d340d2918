//! Webhook transforms.

use crate::{Delivery, Failure};

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

pub use bindings::claimsmith::plugin::webhooks::{Changed, Outcome};
pub use bindings::claimsmith::plugin::{log, random};

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
                ) -> Result<$crate::Outcome, $crate::transform::bindings::Failure> {
                    $crate::transform::answer::<$plugin>(delivery)
                }
            }
            $crate::transform::bindings::export_transform!(Exported with_types_in $crate::transform::bindings);
        };
    };
}

/// From the contract's types to the plugin's and back. Called by [`transform_plugin!`].
pub fn answer<P: TransformPlugin>(delivery: bindings::Delivery) -> Result<Outcome, bindings::Failure> {
    read(delivery).and_then(P::transform).map_err(|failure| match failure {
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
