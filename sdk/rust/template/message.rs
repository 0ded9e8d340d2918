//! {{name}}: sends text messages by a provider with a JSON API.

use claimsmith_plugin::{Failure, MessagePlugin, MessageRequest, OutgoingMessage, json, message_plugin};

struct Plugin;

impl MessagePlugin for Plugin {
    fn compose(message: OutgoingMessage) -> Result<MessageRequest, Failure> {
        if message.channel != "Sms" {
            return Err(Failure::Denied("This provider sends text messages only.".to_owned()));
        }
        let variable = |name: &str| message.environment_variables.get(name).map_or("", String::as_str);
        let body = json!({
            "id": message.id, "from": variable("SENDER"), "to": message.recipient, "text": message.content.text,
        });
        Ok(MessageRequest {
            method: None,
            url: "https://sms.example.com/messages".to_owned(),
            headers: Some([("authorization".to_owned(), format!("Bearer {}", variable("API_KEY")))].into()),
            body: Some(body),
        })
    }
}

message_plugin!(Plugin);
