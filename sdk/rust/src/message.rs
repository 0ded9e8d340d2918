//! Message plugins.

use crate::{Failure, MessageRequest, OutgoingMessage};
use alloc::{
    borrow::ToOwned as _,
    string::{String, ToString as _},
    vec::Vec,
};

/// What `wit-bindgen` makes of the world `message`.
pub mod bindings {
    #![allow(missing_docs)]
    wit_bindgen::generate!({
        path: "wit",
        world: "message",
        pub_export_macro: true,
        export_macro_name: "export_message",
        generate_all,
    });
}

pub use bindings::claimsmith::plugin::{log, random};

/// What a message plugin is.
pub trait MessagePlugin {
    /// Composes the request that sends one message. [`Failure::Denied`] is final; after another failure it is asked again.
    fn compose(message: OutgoingMessage) -> Result<MessageRequest, Failure>;
}

/// Makes the type the plugin of this crate.
#[macro_export]
macro_rules! message_plugin {
    ($plugin:ty) => {
        const _: () = {
            struct Exported;
            impl $crate::message::bindings::Guest for Exported {
                fn compose(
                    message: $crate::message::bindings::OutgoingMessage,
                ) -> Result<$crate::message::bindings::MessageRequest, $crate::message::bindings::Failure> {
                    $crate::message::answer::<$plugin>(message)
                }
            }
            $crate::message::bindings::export_message!(Exported with_types_in $crate::message::bindings);
        };
    };
}

/// From the contract's types to the plugin's and back. Called by [`message_plugin!`].
pub fn answer<P: MessagePlugin>(
    message: bindings::OutgoingMessage,
) -> Result<bindings::MessageRequest, bindings::Failure> {
    read(message).and_then(P::compose).map(written).map_err(|failure| match failure {
        Failure::Denied(text) => bindings::Failure::Denied(text),
        Failure::Failed(text) => bindings::Failure::Failed(text),
    })
}

fn read(message: bindings::OutgoingMessage) -> Result<OutgoingMessage, Failure> {
    Ok(OutgoingMessage {
        id: message.id,
        channel: message.channel,
        event: message.event,
        recipient: message.recipient,
        language: message.language,
        code: message.code,
        link: message.link,
        content: serde_json::from_str(&message.content)?,
        context: serde_json::from_str(&message.context)?,
        environment_variables: message.environment_variables.into_iter().collect(),
    })
}

fn written(request: MessageRequest) -> bindings::MessageRequest {
    let MessageRequest { method, url, headers, body } = request;
    let mut headers: Vec<(String, String)> = headers.into_iter().flatten().collect();
    let is_json = body.as_ref().is_some_and(|body| !body.is_string());
    if is_json && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
    }
    bindings::MessageRequest {
        method: method.unwrap_or_else(|| "POST".to_owned()),
        url,
        headers,
        body: body.map(|body| body.as_str().map_or_else(|| body.to_string(), String::from)),
    }
}
