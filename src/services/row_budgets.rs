//! The budgets of rows that outsiders create ([`claimsmith_domain::outsider_rows`]), on this node: rows and bytes of
//! each kind, for each caller and in total. A budget refills as rows are deleted: evenly over their lifetime.
//!
//! Half of a bound can be taken at once, and the other half refills within a lifetime, so the bound is never exceeded.
//! The closer the total is to its bound, the less one caller may have: callers with the most rows are refused first.

use claimsmith_domain::client_address::{ClientNetwork, networks};
use claimsmith_domain::outsider_rows::{Bound, OUTSIDER_ROWS, OutsiderRows, RowKind};
use quick_cache::sync::Cache;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of callers that are remembered for each kind; a forgotten one begins with a full budget.
const MAX_HOLDERS: usize = 20_000;
/// The share of the remaining budget that one caller may have: one part of so many.
const SHARE_OF_REST: f64 = 4.0;

/// Whose budget it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowHolder {
    /// A client address.
    Address(IpAddr),
    /// A user, by their id.
    User(String),
}

/// The key of a caller's counts: their account, or their address and the wider networks of an IPv6 one, which have a
/// few times as much.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Counted {
    Network(ClientNetwork),
    User(String),
}

impl Counted {
    /// How many times the bound of one caller it may have.
    fn shares(&self) -> u64 {
        match self {
            Self::Network(network) => network.shares().into(),
            Self::User(_) => 1,
        }
    }
}

impl RowHolder {
    /// Narrowest first.
    fn counted(self) -> Vec<Counted> {
        match self {
            Self::Address(address) => networks(address).map(Counted::Network).collect(),
            Self::User(id) => vec![Counted::User(id)],
        }
    }
}

/// Which bound was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// `holder` or `total`.
    pub bound: &'static str,
    /// After so many milliseconds a retry may succeed.
    pub wait_ms: i64,
}

/// The use at a time. Rows and bytes are fractional, because they are given back evenly.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    rows: f64,
    bytes: f64,
    at: i64,
}

struct KindBudget {
    rules: &'static OutsiderRows,
    holders: Cache<Counted, Arc<Mutex<Level>>>,
    total: Mutex<Level>,
}

/// The budgets of all kinds.
pub struct RowBudgets {
    kinds: [KindBudget; OUTSIDER_ROWS.len()],
}

impl RowBudgets {
    /// Nothing is in use.
    pub(crate) fn new() -> Self {
        let kinds = std::array::from_fn(|index| KindBudget {
            rules: &OUTSIDER_ROWS[index],
            holders: Cache::new(MAX_HOLDERS),
            total: Mutex::default(),
        });
        Self { kinds }
    }

    /// Takes a row of so many bytes from the budget of a caller and from the total, if both suffice.
    pub fn take(&self, kind: RowKind, holder: RowHolder, bytes: usize, now: i64) -> Result<(), Exhausted> {
        self.kinds[kind as usize].take(holder, (1.0, bytes), now)
    }

    /// Whether a caller could take a row now. Takes nothing: asked before work that `take` would refuse afterwards.
    pub fn check(&self, kind: RowKind, holder: RowHolder, now: i64) -> Result<(), Exhausted> {
        self.kinds[kind as usize].check(holder, now)
    }

    /// Takes the remaining rows of a caller, as if it had created them.
    pub(crate) fn use_up(&self, kind: RowKind, holder: &RowHolder, now: i64) {
        while self.take(kind, holder.clone(), 0, now).is_ok() {}
    }

    /// Takes bytes by which a row grows.
    pub fn grow(&self, kind: RowKind, holder: RowHolder, bytes: usize, now: i64) -> Result<(), Exhausted> {
        self.kinds[kind as usize].take(holder, (0.0, bytes), now)
    }
}

impl KindBudget {
    fn take(&self, holder: RowHolder, taken: (f64, usize), now: i64) -> Result<(), Exhausted> {
        self.use_if_it_fits(holder, taken, now, true)
    }

    fn check(&self, holder: RowHolder, now: i64) -> Result<(), Exhausted> {
        self.use_if_it_fits(holder, (1.0, 0), now, false)
    }

    fn use_if_it_fits(
        &self,
        holder: RowHolder,
        (rows, bytes): (f64, usize),
        now: i64,
        is_used: bool,
    ) -> Result<(), Exhausted> {
        let new = || Ok::<_, Infallible>(Arc::new(Mutex::new(Level { at: now, ..Level::default() })));
        let own: Vec<(u64, Arc<Mutex<Level>>)> = holder
            .counted()
            .into_iter()
            .map(|counted| {
                let Ok(level) = self.holders.get_or_insert_with(&counted, new);
                (counted.shares(), level)
            })
            .collect();
        // Always locked from narrow to wide, to avoid deadlocks.
        let mut own: Vec<(u64, MutexGuard<'_, Level>)> =
            own.iter().map(|(shares, level)| (*shares, level.lock().unwrap_or_else(PoisonError::into_inner))).collect();
        let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        let OutsiderRows { each, total: all, lifetime_ms, .. } = *self.rules;
        for (shares, level) in &mut own {
            level.drain(each.times(*shares), lifetime_ms, now);
        }
        total.drain(all, lifetime_ms, now);
        let bytes = lossy(u64::try_from(bytes).unwrap_or(u64::MAX));
        let (capacity, all) = (Capacity::of(each), Capacity::of(all));
        let fits = |level: &Level, most: Capacity| level.rows + rows <= most.rows && level.bytes + bytes <= most.bytes;
        if !fits(&total, all) {
            return Err(Exhausted { bound: "total", wait_ms: wait(all.rows, lifetime_ms) });
        }
        let rest = Capacity {
            rows: capacity.rows.min(((all.rows - total.rows) / SHARE_OF_REST).max(1.0)),
            bytes: capacity.bytes.min(((all.bytes - total.bytes) / SHARE_OF_REST).max(bytes)),
        };
        if own.iter().any(|(shares, level)| !fits(level, rest.times(*shares))) {
            return Err(Exhausted { bound: "holder", wait_ms: wait(capacity.rows, lifetime_ms) });
        }
        if !is_used {
            return Ok(());
        }
        for level in own.iter_mut().map(|(_, level)| &mut **level).chain([&mut *total]) {
            level.rows += rows;
            level.bytes += bytes;
        }
        Ok(())
    }
}

/// The maximum use at once.
#[derive(Clone, Copy)]
struct Capacity {
    rows: f64,
    bytes: f64,
}

impl Capacity {
    fn of(bound: Bound) -> Self {
        Self { rows: lossy(bound.rows) / 2.0, bytes: lossy(bound.bytes) / 2.0 }
    }

    fn times(self, shares: u64) -> Self {
        Self { rows: self.rows * lossy(shares), bytes: self.bytes * lossy(shares) }
    }
}

impl Level {
    /// Gives back what was deleted meanwhile. If the clock went back, nothing is.
    fn drain(&mut self, bound: Bound, lifetime_ms: i64, now: i64) {
        let passed = now.saturating_sub(self.at).clamp(0, lifetime_ms);
        let part = lossy(passed.unsigned_abs()) / lossy(lifetime_ms.unsigned_abs());
        let Capacity { rows, bytes } = Capacity::of(bound);
        self.rows = (self.rows - rows * part).max(0.0);
        self.bytes = (self.bytes - bytes * part).max(0.0);
        self.at = now;
    }
}

/// How long it takes until a row is given back.
fn wait(rows: f64, lifetime_ms: i64) -> i64 {
    let lifetime = lossy(lifetime_ms.unsigned_abs());
    #[expect(clippy::cast_possible_truncation, reason = "at most a lifetime")]
    let wait = (lifetime / rows.max(1.0)).ceil() as i64;
    wait.max(1000)
}

#[expect(clippy::cast_precision_loss, reason = "what is counted is far below 2^52")]
fn lossy(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(text: &str) -> RowHolder {
        RowHolder::Address(text.parse().unwrap_or(IpAddr::from([0, 0, 0, 0])))
    }

    fn taken(budgets: &RowBudgets, kind: RowKind, who: &str, bytes: usize, now: i64) -> u64 {
        let mut count = 0;
        while budgets.take(kind, holder(who), bytes, now).is_ok() {
            count += 1;
        }
        count
    }

    #[test]
    fn one_caller_never_has_more_than_the_bound_and_gets_it_back() {
        for rules in &OUTSIDER_ROWS {
            let budgets = RowBudgets::new();
            let first = taken(&budgets, rules.kind, "192.0.2.1", 1, 0);
            assert_eq!(first, rules.each.rows / 2, "{}", rules.name);
            assert_eq!(taken(&budgets, rules.kind, "::ffff:192.0.2.1", 1, 0), 0);
            // Other callers are not affected.
            assert!(budgets.take(rules.kind, holder("2001:db8::1"), 1, 0).is_ok(), "{}", rules.name);
            let mut count = first;
            for step in 1..=20 {
                count += taken(&budgets, rules.kind, "192.0.2.1", 1, rules.lifetime_ms * step / 20);
            }
            assert!((rules.each.rows - 20..=rules.each.rows).contains(&count), "{}: {count}", rules.name);
            // Asking takes nothing.
            let asked = budgets.check(rules.kind, holder("198.51.100.1"), 0);
            assert_eq!((asked, taken(&budgets, rules.kind, "198.51.100.1", 1, 0)), (Ok(()), first));
            assert!(budgets.check(rules.kind, holder("198.51.100.1"), 0).is_err());
            // A clock that goes back gives nothing.
            assert_eq!(taken(&budgets, rules.kind, "192.0.2.1", 1, 0), 0);
        }
    }

    #[test]
    fn a_wide_network_has_a_few_times_the_rows_of_one_address() {
        let budgets = RowBudgets::new();
        let rules = RowKind::PushedRequests.rules();
        let of_site = |number: u32| taken(&budgets, rules.kind, &format!("2001:db8:0:{number:x}::1"), 0, 0);
        let counts: Vec<u64> = (0..6).map(of_site).collect();
        assert_eq!(counts.iter().sum::<u64>(), rules.each.rows / 2 * 4, "a /56: {counts:?}");
        assert_eq!(counts[5], 0);
    }

    #[test]
    fn bytes_are_bounded_as_rows_are() {
        let budgets = RowBudgets::new();
        let rules = RowKind::PushedRequests.rules();
        let large = usize::try_from(rules.max_row_bytes).unwrap_or(usize::MAX);
        let count = taken(&budgets, rules.kind, "192.0.2.1", large, 0);
        assert_eq!(count, rules.each.bytes / 2 / rules.max_row_bytes);
        assert!(budgets.grow(rules.kind, holder("192.0.2.1"), large, 0).is_err());
    }

    #[test]
    fn whoever_has_most_is_refused_first() {
        let budgets = RowBudgets::new();
        let rules = RowKind::PushedRequests.rules();
        let mut count = 0;
        for number in 0..50 {
            count += taken(&budgets, rules.kind, &format!("10.0.{}.{}", number / 256, number % 256), 1, 0);
        }
        assert!(count <= rules.total.rows / 2 && count > rules.total.rows / 3, "{count}");
        // A caller without any rows still gets one.
        assert!(budgets.take(rules.kind, holder("192.0.2.1"), 1, 0).is_ok());
        assert_eq!(budgets.check(rules.kind, holder("10.0.0.0"), 0).map_err(|refused| refused.bound), Err("holder"));
        let refused = budgets.take(rules.kind, holder("10.0.0.0"), 1, 0);
        assert_eq!(refused.map_err(|refused| refused.bound), Err("holder"));
    }
}
