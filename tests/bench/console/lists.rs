//! The lists and charts of the Management API: every one of its description, and what people look for in the long ones.

use crate::fill::Filled;
use crate::{Args, WITHIN, judged};
use anyhow::{Context, Result};
use claimsmith_test_support::{Actor, Process};
use serde_json::Value;
use std::time::Instant;

const DESCRIPTION: &str = include_str!("../../../docs/openapi.json");

/// Asks for each, and prints how long it took; answers those that are over the goal.
pub(crate) async fn measure(server: &Process, filled: &Filled, args: &Args) -> Result<Vec<String>> {
    println!("| list or chart | found | median ms | slowest ms | |");
    println!("|---|---|---|---|---|");
    let management = server.management().await;
    let mut paths = Vec::new();
    for template in described()? {
        match filled_in(&management, &template, filled).await? {
            Some(path) => paths.push(path),
            None => println!("| `{template}` | nothing to name | | | |"),
        }
    }
    paths.extend(searches(filled, args.amount));
    let mut over = Vec::new();
    for path in paths {
        let first = management.get(&path).await;
        if first.status != 200 {
            println!("| `{path}` | answers {} | | | |", first.status);
            continue;
        }
        let (mut times, mut found) = (Vec::new(), String::new());
        for _ in 0..args.requests {
            let asked = Instant::now();
            let answer = management.get(&path).await.expect(200);
            times.push(asked.elapsed());
            answer.header("total-number").unwrap_or_default().clone_into(&mut found);
        }
        let (times, verdict) = judged(times);
        println!("| `{path}` | {found} | {times} | {verdict} |");
        if verdict != WITHIN {
            over.push(path);
        }
    }
    Ok(over)
}

/// The paths of lists and charts, with the names of ids in braces.
fn described() -> Result<Vec<String>> {
    let description: Value = serde_json::from_str(DESCRIPTION)?;
    let paths = description["paths"].as_object().context("no paths")?;
    let is_list = |operation: &Value| {
        let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        parameters.iter().any(|parameter| parameter["name"] == "page")
    };
    let listed = paths.iter().filter(|(path, operations)| {
        operations.get("get").is_some_and(|get| is_list(get) || path.starts_with("/api/dashboard/"))
    });
    Ok(listed.map(|(path, _)| path.clone()).collect())
}

/// The path with an id of each kind: the one that has the most, or the first of the list before it.
async fn filled_in(management: &Actor, template: &str, filled: &Filled) -> Result<Option<String>> {
    let mut path = String::new();
    for segment in template.split('/').skip(1) {
        let id = match (segment.starts_with('{'), path.as_str()) {
            (false, _) => segment.to_owned(),
            (true, _) if segment == "{userId}" => filled.user.to_string(),
            (true, "/api/organizations") => filled.organization.to_string(),
            (true, "/api/applications") => filled.application.to_string(),
            (true, "/api/roles") => filled.role.to_string(),
            (true, "/api/hooks") => filled.hook.to_string(),
            (true, list) => {
                let answer = management.get(list).await;
                let Some(id) = answer.body.pointer("/0/id").and_then(Value::as_str) else { return Ok(None) };
                id.to_owned()
            }
        };
        path = format!("{path}/{id}");
    }
    Ok(Some(path))
}

/// What people look for.
fn searches(filled: &Filled, amount: u32) -> Vec<String> {
    let one = amount / 2;
    let Filled { user, organization, application, .. } = filled;
    [
        "logs?enableCap=true".to_owned(),
        "logs?page=50".to_owned(),
        "logs?logKey=ExchangeTokenBy.TokenExchange".to_owned(),
        "logs?logKey=ExchangeTokenBy.*".to_owned(),
        "logs?logKey=Management.User.*".to_owned(),
        "logs?logKey=Management.*&page=10".to_owned(),
        "logs?logKey=Nothing.*".to_owned(),
        "logs?result=Error&enableCap=true".to_owned(),
        "logs?ticketId=TICKET-25".to_owned(),
        format!("logs?personId={user}"),
        format!("logs?applicationId={application}&enableCap=true"),
        format!("logs?applicationId={application}&logKey=Management.User.*&enableCap=true"),
        "impersonations?isActive=true".to_owned(),
        "impersonations?isActive=false".to_owned(),
        "impersonations?ticketId=TICKET-25".to_owned(),
        format!("impersonations?userId={user}"),
        format!("impersonations?applicationId={application}"),
        format!("issuances?userId={user}"),
        format!("issuances?applicationId={application}"),
        format!("users?page={}", amount / 40),
        format!("users?search=%25ser%5C_{one}%25"),
        format!("users?search=%25hopper+{}%25", one / 1000),
        "users?search=%25grace+hopper%25".to_owned(),
        "users?search=%25example.com%25".to_owned(),
        "users?search=%25nobody%25".to_owned(),
        "users?search.name=%25hopper%25&search.username=%2599%25&joint=and".to_owned(),
        format!("users?search=user%5C_{one}%25"),
        "users?search=%25hopper%25&isSuspended=true".to_owned(),
        format!("organizations/{organization}/users?q=user_{}", one - one % 100),
    ]
    .map(|path| format!("/api/{path}"))
    .into()
}
