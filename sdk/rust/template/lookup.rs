//! {{name}}: asks another server what plan a user has.

use claimsmith_plugin::{Claims, ClaimsPlugin, ClaimsRequest, Failure, Value, claims_plugin, http, serde_json};

struct Plugin;

impl ClaimsPlugin for Plugin {
    fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure> {
        let Some(user) = request.context.user else { return Ok(Claims::new()) };
        let key = request.environment_variables.get("API_KEY").map_or("", String::as_str);
        let question = http::Request {
            method: "GET".to_owned(),
            url: format!("https://plans.example.com/plan?user={}", user.id),
            headers: vec![("authorization".to_owned(), format!("Bearer {key}"))],
            body: None,
        };
        let answer = http::send(&question).map_err(Failure::Failed)?;
        if answer.status != 200 {
            return Ok(Claims::new());
        }
        let told: Value = serde_json::from_slice(&answer.body)?;
        Ok([("plan".to_owned(), told["plan"].clone())].into_iter().collect())
    }
}

claims_plugin!(Plugin);
