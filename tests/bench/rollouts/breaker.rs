//! How soon a token is answered whose plugin hangs.

use super::{Bench, PLUGIN, load, upload};
use anyhow::{Result, ensure};
use serde_json::json;
use std::time::{Duration, Instant};

/// A breaker that is not open by then never will be.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Requests a second while a breaker is open, and how many.
const OPEN_RATE: f64 = 50.0;
const OPEN_REQUESTS: usize = 600;
const HANGS: &str = "export const getCustomJwtClaims = async () => { for (;;) {} };";

impl Bench {
    /// How soon tokens are answered without a plugin that hangs, once its breaker is open.
    pub(crate) async fn open_breaker(&self) -> Result<()> {
        let management = self.process.management().await;
        management.patch(PLUGIN, json!({ "enabled": false })).await.expect(200);
        let hangs = "/api/plugins/hangs";
        upload(&management, hangs, HANGS).await;
        let settings = json!({ "onError": "skip", "limits": { "deadlineMs": 250 }, "breaker": { "failures": 20 } });
        management.patch(hangs, settings).await.expect(200);
        let end = Instant::now() + TIMEOUT;
        let (mut before, mut is_open) = (None, false);
        while !is_open {
            ensure!(Instant::now() < end, "the breaker does not open");
            let requests = self.mint(8).await?;
            let measured = load::drive(requests, 2, TIMEOUT, None).await?;
            before.get_or_insert_with(|| measured.percentile_ms(0.5));
            is_open = management.get(hangs).await.expect(200)["breaker"]["state"] == "open";
        }
        let requests = self.mint(OPEN_REQUESTS).await?;
        // Several connections, since one call at a time still probes.
        let open = load::drive(requests, 8, TIMEOUT, Some(OPEN_RATE)).await?;
        ensure!(open.refused == 0, "refused: {:?}", open.refusal);
        println!(
            "a plugin that times out after 250 ms: p50 {:.1} ms before its breaker is open; then p50 {:.2} ms, p99 {:.2} ms",
            before.unwrap_or(f64::NAN),
            open.percentile_ms(0.5),
            open.percentile_ms(0.99),
        );
        Ok(())
    }
}
