//! {{name}}: receivers are told who changed, and nothing else of them.

use claimsmith_plugin::{Changed, Delivery, Failure, Outcome, TransformPlugin, json, transform_plugin};

struct Plugin;

impl TransformPlugin for Plugin {
    fn transform(delivery: Delivery) -> Result<Outcome, Failure> {
        let Some(data) = delivery.event.data.filter(|data| data.is_object()) else {
            return Ok(Outcome::Send(Changed { body: None, headers: Vec::new(), path: None }));
        };
        if data["username"] == "test-robot" {
            return Ok(Outcome::Drop("the test robot is nobody's customer".to_owned()));
        }
        let environment = delivery.environment_variables.get("ENVIRONMENT").cloned().unwrap_or_default();
        let body = json!({ "event": delivery.event.event, "data": { "id": data["id"] } });
        Ok(Outcome::Send(Changed {
            body: Some(body.to_string()),
            headers: vec![("x-environment".to_owned(), environment)],
            path: Some("users".to_owned()),
        }))
    }
}

transform_plugin!(Plugin);
