//! {{name}}: receivers are told who changed, and nothing else of them.

use claimsmith_plugin::{Changed, Delivery, Failure, Outcome, TransformPlugin, json, transform_plugin};

struct Plugin;

impl TransformPlugin for Plugin {
    fn transform(delivery: Delivery) -> Result<Outcome, Failure> {
        let Some(data) = delivery.event.data.filter(|data| data.is_object()) else {
            return Ok(Outcome::unchanged());
        };
        if data["username"] == "test-robot" {
            return Ok(Outcome::drop("the test robot is nobody's customer"));
        }
        let environment = delivery.environment_variables.get("ENVIRONMENT").cloned().unwrap_or_default();
        Ok(Outcome::Send(Changed {
            body: Some(json!({ "event": delivery.event.event, "data": { "id": data["id"] } })),
            headers: Some([("x-environment".to_owned(), environment)].into()),
            path: Some("users".to_owned()),
        }))
    }
}

transform_plugin!(Plugin);
