//! What goes on beside the tokens: a recording, a shadow, or a population run.

use super::{Bench, MAX_RATE, PLUGIN, USERS};
use claimsmith_domain::id::UserId;
use serde_json::{Value, json};
use std::time::Duration;

/// Calls that are recorded in a second.
const RECORDED_PER_SECOND: f64 = 100.0;
/// A canceled run goes on until it would write, every two seconds; what is measured next must not be beside it.
const LAST_BATCH: Duration = Duration::from_secs(3);

/// What goes on beside the tokens.
#[derive(Clone, Copy)]
pub(crate) enum Beside {
    Nothing,
    Recording,
    /// Of so many percent.
    Shadow(u8),
    /// Over more users than it passes meanwhile.
    PopulationRun,
}

impl Beside {
    /// How a row of the table begins.
    pub(crate) fn name(self, rate: Option<f64>) -> String {
        let load = if rate.is_some() { "a third of the maximal rate" } else { "maximal rate" };
        match self {
            Self::Nothing => format!("nothing, {load}"),
            Self::Recording => format!("a recording of {RECORDED_PER_SECOND} calls a second, {load}"),
            Self::Shadow(share) => format!("a shadow of {share} %, {load}"),
            Self::PopulationRun => format!("a population run, {load}"),
        }
    }
}

impl Bench {
    /// Begins what goes on beside the tokens, and answers its path.
    pub(crate) async fn begin(&self, beside: Beside, rate: Option<f64>) -> Option<String> {
        let management = self.process.management().await;
        match beside {
            Beside::Nothing => None,
            Beside::Recording => {
                // Of so many users that they have as many tokens as are to be recorded.
                let wanted = f64::from(USERS) * RECORDED_PER_SECOND / rate.unwrap_or(MAX_RATE);
                let users = self.users.iter().zip(0..USERS).filter(|(_, number)| f64::from(*number) < wanted);
                let users: Vec<&UserId> = users.map(|(user, _)| user).collect();
                let recordings = format!("{PLUGIN}/recordings");
                let body = json!({ "count": 1000, "until": "1h", "users": users });
                let id = management.post(&recordings, body).await.expect(201).text("id");
                Some(format!("{recordings}/{id}"))
            }
            Beside::Shadow(share) => {
                let rollout = format!("{PLUGIN}/rollout");
                let body = json!({ "version": "2", "mode": "shadow", "share": share });
                management.post(&rollout, body).await.expect(201);
                Some(rollout)
            }
            Beside::PopulationRun => Some(self.begin_run().await),
        }
    }

    /// Ends it, and says what became of it.
    pub(crate) async fn end(&self, beside: Beside, path: &str) -> String {
        let management = self.process.management().await;
        let shown = management.get(path).await.expect(200);
        match beside {
            Beside::Nothing => String::new(),
            Beside::Recording => {
                management.post(&format!("{path}/stop"), json!({})).await.expect(200);
                management.delete(path).await.expect(204);
                format!("{} recorded, {} dropped", shown["recorded"], shown["dropped"])
            }
            Beside::Shadow(_) => {
                management.post(&format!("{path}/abort"), Value::Null).await.expect(200);
                let results = &shown["results"];
                format!("{} shadows, {} dropped", results["candidate"]["runs"], results["dropped"])
            }
            Beside::PopulationRun => {
                management.post(&format!("{path}/cancel"), json!({})).await.expect(200);
                management.delete(path).await.expect(204);
                tokio::time::sleep(LAST_BATCH).await;
                format!("{} of {} users, then {}", shown["visited"], shown["users"], shown["state"])
            }
        }
    }
}
