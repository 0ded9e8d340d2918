//! {{name}}: asks another server what plan a user has, and keeps the answer for five minutes.

use claimsmith_plugin::{
    Claims, ClaimsPlugin, ClaimsRequest, Failure, Value, cache, cache::Owner, claims_plugin, http, serde_json,
};
use std::time::Duration;

const LIFETIME: Duration = Duration::from_secs(300);

struct Plugin;

impl ClaimsPlugin for Plugin {
    fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure> {
        let Some(user) = request.context.user else { return Ok(Claims::new()) };
        let plan = match cache::get(Owner::User, "plan")? {
            Some(plan) => Some(plan),
            None => ask(&user.id)?,
        };
        Ok(plan.map(|plan| ("plan".to_owned(), plan)).into_iter().collect())
    }
}

fn ask(user: &str) -> Result<Option<Value>, Failure> {
    // The server adds the API key: the settings say where.
    let question = http::Request {
        method: "GET".to_owned(),
        url: format!("https://plans.example.com/plan?user={user}"),
        headers: Vec::new(),
        body: None,
    };
    let answer = http::send(&question).map_err(Failure::Failed)?;
    if answer.status != 200 {
        return Ok(None);
    }
    let told: Value = serde_json::from_slice(&answer.body)?;
    let plan = told["plan"].clone();
    cache::set(Owner::User, "plan", &plan, LIFETIME)?;
    Ok(Some(plan))
}

claims_plugin!(Plugin);
