//! How long a neighbour waits for a token while nobody attacks, before a corpus and after it.

use crate::report::ms;
use crate::world::World;
use claimsmith_test_support::Kind;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Tokens that are measured each time.
const TOKENS: usize = 300;

/// A wait that became so many times as long has another order of magnitude.
const MARGIN: u32 = 10;

/// A shorter wait is never too long: a busy machine may cost as much.
const FLOOR: Duration = Duration::from_millis(50);

/// Percentiles of a neighbour's waits.
#[derive(Clone, Copy)]
pub(crate) struct Latency {
    p50: Duration,
    p99: Duration,
}

impl Latency {
    /// Measures the exchanges of a neighbour, one after the other.
    pub(crate) async fn of(world: &World) -> Self {
        let mut waits = Vec::with_capacity(TOKENS);
        for _ in 0..TOKENS {
            let exchange = world.server.exchange(&world.server.customer_token().await);
            let started = Instant::now();
            exchange.send().await.expect(200);
            waits.push(started.elapsed());
        }
        waits.sort();
        Self { p50: waits[TOKENS / 2], p99: waits[TOKENS * 99 / 100] }
    }

    /// Measures again, prints both, and fails if a neighbour waits much longer than before.
    pub(crate) async fn compare(self, world: &World, corpus: &str, kind: Kind) {
        let after = Self::of(world).await;
        let line = format!(
            "{corpus} on {kind:?}: a neighbour's p50 {} before and {} after, p99 {} before and {} after\n",
            ms(self.p50),
            ms(after.p50),
            ms(self.p99),
            ms(after.p99),
        );
        // Past what the test runner keeps to itself.
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        for (before, after) in [(self.p50, after.p50), (self.p99, after.p99)] {
            assert!(after <= FLOOR.max(before * MARGIN), "{line}");
        }
    }
}
