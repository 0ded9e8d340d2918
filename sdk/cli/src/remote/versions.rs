//! `claimsmith plugin versions`, `activate` and `rollback`.

use super::{Remote, SuccessResponse, WRITE, view};
use crate::terminal::print_line;
use anyhow::Context as _;
use reqwest::{Method, header};
use serde_json::Value;

#[derive(clap::Args)]
pub(crate) struct RollbackArgs {
    /// The plugin's name.
    name: String,
    /// The version to activate [default: the one before the active one]
    #[arg(long, value_name = "VERSION")]
    to: Option<String>,
}

pub(crate) async fn list(remote: &Remote, name: &str) -> anyhow::Result<()> {
    let answer = remote.get(&[name, "versions"]).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let versions = answer.json()?;
    let row = |version: &Value| {
        let text = |pointer| view::text(version, pointer);
        let active = if is_active(version) { "active" } else { "-" };
        vec![
            text("/id"),
            active.to_owned(),
            text("/language"),
            text("/size"),
            view::digest(version, "/digest"),
            view::time(version, "/createdAt"),
            text("/createdBy"),
            text("/signedBy"),
            text("/label"),
            text("/note"),
        ]
    };
    let rows: Vec<_> = view::items(&versions).iter().map(row).collect();
    let columns = ["VERSION", "STATE", "LANGUAGE", "SIZE", "DIGEST", "CREATED", "BY", "SIGNED BY", "LABEL", "NOTE"];
    print_line(&view::table(&columns, &rows));
    Ok(())
}

pub(crate) async fn activate(remote: &Remote, name: &str, id: &str) -> anyhow::Result<()> {
    let answer = post(remote, name, id, None).await?;
    if !remote.json {
        print_line(&format!("{name}: version {id} is active; state: {}", state(&answer)?));
    }
    Ok(())
}

pub(crate) async fn rollback(remote: &Remote, args: &RollbackArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    if let Some(id) = &args.to {
        return activate(remote, name, id).await;
    }
    // If-Match makes sure that the versions have not changed since they were read.
    let revision = remote.get(&[name]).await?.etag;
    let versions = remote.get(&[name, "versions"]).await?.json()?;
    let (active, before) =
        version_before_active(view::items(&versions)).map_err(|reason| anyhow::anyhow!("{name}: {reason}"))?;
    let answer = post(remote, name, &before, revision).await?;
    if !remote.json {
        print_line(&format!(
            "{name}: version {before} is active again, in place of {active}; state: {}",
            state(&answer)?
        ));
    }
    Ok(())
}

/// Activates; with `--json` the answer is printed here.
async fn post(remote: &Remote, name: &str, id: &str, revision: Option<String>) -> anyhow::Result<SuccessResponse> {
    let mut request = remote.request(Method::POST, &[name, "versions", id, "activate"])?;
    if let Some(revision) = revision {
        request = request.header(header::IF_MATCH, revision);
    }
    let answer = remote.ask(WRITE, request).await?;
    if remote.json {
        print_line(&answer.text);
    }
    Ok(answer)
}

fn state(answer: &SuccessResponse) -> anyhow::Result<String> {
    Ok(view::text(&answer.json().context("it is active")?, "/plugin/state"))
}

fn is_active(version: &Value) -> bool {
    version.get("active") == Some(&Value::Bool(true))
}

/// The active version, and the one before it by id; an id is a number and never used twice.
fn version_before_active(versions: &[Value]) -> Result<(String, String), &'static str> {
    let id = |version: &Value| version.get("id").and_then(Value::as_str).and_then(|id| id.parse::<u64>().ok());
    let active = versions.iter().find(|version| is_active(version)).and_then(id);
    let active = active.ok_or("no version is active: name the version to activate with --to")?;
    let before = versions.iter().filter_map(id).filter(|id| *id < active).max();
    let before = before.ok_or("there is no version before the active one")?;
    Ok((active.to_string(), before.to_string()))
}

#[cfg(test)]
mod tests {
    use super::version_before_active;
    use serde_json::{Value, json};

    fn versions(ids: &[u32], active: u32) -> Vec<Value> {
        ids.iter().map(|id| json!({ "id": id.to_string(), "active": *id == active })).collect()
    }

    #[test]
    fn the_version_before_the_active_one_is_the_nearest_below_it() {
        let chosen = |ids: &[u32], active| version_before_active(&versions(ids, active)).map(|(_, before)| before);
        assert_eq!(chosen(&[3, 2, 1], 3).as_deref(), Ok("2"));
        assert_eq!(chosen(&[3, 2, 1], 2).as_deref(), Ok("1"), "not the newer one");
        assert_eq!(chosen(&[12, 10, 9, 2], 12).as_deref(), Ok("10"), "by number, and deleted ones do not count");
        assert_eq!(chosen(&[9, 10, 2, 12], 10).as_deref(), Ok("9"), "whatever the order");
    }

    #[test]
    fn where_there_is_nothing_to_go_back_to_it_says_so() {
        let reason = |versions: &[Value]| version_before_active(versions).err().unwrap_or_default();
        assert!(reason(&versions(&[3, 2, 1], 1)).contains("before the active one"));
        assert!(reason(&versions(&[2, 1], 7)).contains("--to"));
        assert!(reason(&[]).contains("--to"));
    }
}
