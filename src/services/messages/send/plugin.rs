//! A message as a request to a provider, composed by a plugin. The server sends it, to hosts that the operator granted.

use super::SendFailure;
use super::http::wants_to_be_asked_again;
use crate::egress::{Budget, Excess, OutgoingRequest};
use crate::messages::Messages;
use crate::messages::letter::Letter;
use crate::messages::outgoing::Outgoing;
use crate::plugins::{ComposeFailure, Message, MessageRequest};
use claimsmith_domain::connector::PluginConfig;
use claimsmith_domain::documents::message::MessageChannel;
use claimsmith_domain::documents::uri_rule::UriRule;
use serde_json::{Map, Value, json};

/// Bytes of a response that are read; nothing of it is kept.
const MAX_RESPONSE_BYTES_READ: usize = 64 << 10;

/// The text of a message.
pub(super) struct Worded {
    channel: MessageChannel,
    recipient: String,
    content: Value,
}

/// An e-mail.
pub(super) fn email(message: &Outgoing, letter: Letter) -> Worded {
    let Letter { subject, plain, html, reply_to, send_from } = letter;
    let members =
        [("text", plain), ("html", html), ("subject", Some(subject)), ("replyTo", reply_to), ("sendFrom", send_from)];
    let given = members.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))));
    Worded {
        channel: MessageChannel::Email,
        recipient: message.recipient.clone(),
        content: Value::Object(given.collect()),
    }
}

/// A text message. Providers know phone numbers in international form, with a plus.
pub(super) fn text_message(message: &Outgoing, text: &str) -> Worded {
    let recipient = format!("+{}", message.recipient);
    Worded { channel: MessageChannel::Sms, recipient, content: json!({ "text": text }) }
}

/// Has the request composed, and sends it.
pub(super) async fn send(
    messages: &Messages,
    config: &PluginConfig,
    message: &Outgoing,
    worded: Worded,
) -> Result<(), SendFailure> {
    let Worded { channel, recipient, content } = worded;
    let told = Message {
        id: &message.id,
        channel: channel.as_str(),
        event: message.template.as_str(),
        recipient: &recipient,
        language: message.language.as_str(),
        code: message.contents.code.as_deref(),
        link: message.contents.link.as_deref(),
        content,
        context: context(message),
    };
    let composed = messages.plugins.compose(config.plugin.as_str(), &told).await;
    let MessageRequest { method, url, headers, body } = composed.map_err(|failure| match failure {
        ComposeFailure::Denied(_) => SendFailure::never(failure.to_string()),
        ComposeFailure::Missing(_) | ComposeFailure::Failed { .. } => SendFailure::later(failure.to_string()),
    })?;
    if UriRule::Messages.fault_of_stored(&url).is_some() {
        let plugin = config.plugin.as_str();
        return Err(SendFailure::later(format!(
            "the request of the plugin {plugin} is not encrypted: https is expected"
        )));
    }
    let request = OutgoingRequest { method, url, headers, body: body.map(Into::into) };
    let budget =
        Budget { time: messages.settings.timeout, response_bytes: MAX_RESPONSE_BYTES_READ, excess: Excess::CutOff };
    let answer = messages.egress.send(request, &budget).await?;
    match answer.status {
        200..300 => Ok(()),
        status @ (408 | 429 | 500..600) => {
            Err(wants_to_be_asked_again(&answer, message.at, format!("the provider answered {status}")))
        }
        status => Err(SendFailure::never(format!("the provider answered {status}"))),
    }
}

/// The context of a message: its content beside the code or link.
fn context(message: &Outgoing) -> Value {
    let values = message.values();
    let names = ["application", "organization", "user", "inviter", "ip"];
    let known = names.into_iter().filter_map(|name| Some((name.to_owned(), values.get(name)?.clone())));
    Value::Object(known.collect::<Map<_, _>>())
}
