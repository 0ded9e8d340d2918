//! Concurrency limit of plugin calls with a fair queue: a bounded number of calls runs at once, one plugin never has
//! more than its share of them, and every plugin has a bounded queue of its own. The queues are served round-robin,
//! whatever their lengths.

use crate::{CallError, Kind};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::oneshot, time::timeout};

/// How long a call may wait in its queue. It is not charged to the plugin: its deadline begins when it runs.
pub const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);

const QUEUE_FULL: &str = "too many calls are waiting already";

/// The limit on the calls of one host.
pub(crate) struct ConcurrencyLimiter(Mutex<LimiterState>);

struct LimiterState {
    concurrency: usize,
    /// Calls that may wait in all queues together.
    max_queued: usize,
    running: usize,
    /// Calls for deliveries and messages among the running ones, which no request waits for; they are limited so that no
    /// token waits behind a flood of them.
    in_background: usize,
    waiting: usize,
    plugins: HashMap<Arc<str>, PluginQueue>,
    /// The plugins with queued calls, in round-robin order.
    turns: VecDeque<Arc<str>>,
    next_ticket: u64,
}

/// One plugin with running or queued calls.
struct PluginQueue {
    kind: Kind,
    running: usize,
    queued: VecDeque<(u64, oneshot::Sender<CallPermit>)>,
}

/// Permission to run one call; dropping it lets the next call run.
pub(crate) struct CallPermit {
    limiter: Arc<ConcurrencyLimiter>,
    plugin: Arc<str>,
    kind: Kind,
    held: bool,
}

/// One call in its plugin's queue; dropping it leaves the queue.
struct QueuedCall<'a> {
    limiter: &'a ConcurrencyLimiter,
    plugin: &'a str,
    ticket: u64,
}

impl ConcurrencyLimiter {
    pub(crate) fn new(concurrency: usize, max_queued: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(LimiterState {
            concurrency: concurrency.max(1),
            max_queued,
            running: 0,
            in_background: 0,
            waiting: 0,
            plugins: HashMap::new(),
            turns: VecDeque::new(),
            next_ticket: 0,
        })))
    }

    /// Waits for a permit, behind the calls of the same plugin alone.
    pub(crate) async fn acquire(self: &Arc<Self>, plugin: &Arc<str>, kind: Kind) -> Result<CallPermit, CallError> {
        let (ticket, permit) = {
            let mut state = self.lock();
            if state.can_start(plugin, kind) {
                return Ok(state.grant(self, plugin, kind));
            }
            state.enqueue(plugin, kind)?
        };
        let _queued = QueuedCall { limiter: self, plugin, ticket };
        match timeout(QUEUE_TIMEOUT, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(CallError::Unavailable(QUEUE_FULL.to_owned())),
            Err(_) => {
                Err(CallError::Unavailable(format!("no call slot became free within {} ms", QUEUE_TIMEOUT.as_millis())))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, LimiterState> {
        // A panic elsewhere leaves the counters consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LimiterState {
    /// One plugin may run half of all calls. Those in the background together may run half of all calls, and one of them
    /// half of those.
    fn share(&self, kind: Kind) -> usize {
        let part = match kind {
            Kind::Claims => self.concurrency / 2,
            Kind::WebhookTransform | Kind::Message => self.concurrency / 4,
        };
        part.max(1)
    }

    /// Whether one more call of this plugin is within all limits.
    fn has_room(&self, plugin: &str, kind: Kind) -> bool {
        let background_full = is_in_background(kind) && self.in_background >= (self.concurrency / 2).max(1);
        let running = self.plugins.get(plugin).map_or(0, |plugin| plugin.running);
        self.running < self.concurrency && running < self.share(kind) && !background_full
    }

    fn can_start(&self, plugin: &str, kind: Kind) -> bool {
        self.has_room(plugin, kind) && self.plugins.get(plugin).is_none_or(|plugin| plugin.queued.is_empty())
    }

    fn entry(&mut self, plugin: &Arc<str>, kind: Kind) -> &mut PluginQueue {
        let new = || PluginQueue { kind, running: 0, queued: VecDeque::new() };
        self.plugins.entry(Arc::clone(plugin)).or_insert_with(new)
    }

    fn grant(&mut self, limiter: &Arc<ConcurrencyLimiter>, plugin: &Arc<str>, kind: Kind) -> CallPermit {
        self.running += 1;
        self.in_background += usize::from(is_in_background(kind));
        self.entry(plugin, kind).running += 1;
        CallPermit { limiter: Arc::clone(limiter), plugin: Arc::clone(plugin), kind, held: true }
    }

    fn enqueue(&mut self, plugin: &Arc<str>, kind: Kind) -> Result<(u64, oneshot::Receiver<CallPermit>), CallError> {
        if self.waiting >= self.max_queued && !self.evict_from_longest_queue(plugin) {
            return Err(CallError::Unavailable(QUEUE_FULL.to_owned()));
        }
        let (sender, permit) = oneshot::channel();
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting += 1;
        let queued = &mut self.entry(plugin, kind).queued;
        queued.push_back((ticket, sender));
        // A call that gave up may have left its plugin in the rotation.
        if !self.turns.contains(plugin) {
            self.turns.push_back(Arc::clone(plugin));
        }
        Ok((ticket, permit))
    }

    /// Where the queues are full, removes the last call of the longest one, unless the newcomer's would be as long.
    fn evict_from_longest_queue(&mut self, newcomer: &str) -> bool {
        let own = self.plugins.get(newcomer).map_or(0, |plugin| plugin.queued.len());
        let longest = self.plugins.values_mut().max_by_key(|plugin| plugin.queued.len());
        let Some(longest) = longest.filter(|plugin| plugin.queued.len() > own + 1) else { return false };
        // The removed call learns it from its closed channel.
        longest.queued.pop_back();
        self.waiting -= 1;
        true
    }

    /// Starts queued calls, round-robin, as far as the limits allow.
    fn dispatch(&mut self, limiter: &Arc<ConcurrencyLimiter>) {
        let mut passed = 0;
        while self.running < self.concurrency && passed < self.turns.len() {
            let Some(name) = self.turns.pop_front() else { return };
            let Some(plugin) = self.plugins.get_mut(&name) else { continue };
            let kind = plugin.kind;
            if plugin.queued.is_empty() {
                self.remove_if_idle(&name);
                continue;
            }
            if !self.has_room(&name, kind) {
                self.turns.push_back(name);
                passed += 1;
                continue;
            }
            let first = self.plugins.get_mut(&name).and_then(|plugin| plugin.queued.pop_front());
            if let Some((_, sender)) = first {
                self.waiting -= 1;
                let permit = self.grant(limiter, &name, kind);
                if let Err(mut permit) = sender.send(permit) {
                    // It gave up in this moment. Dropping its permit must not take the lock that is held here.
                    permit.held = false;
                    self.release(&name, kind);
                }
            }
            if self.plugins.get(&name).is_some_and(|plugin| !plugin.queued.is_empty()) {
                self.turns.push_back(name);
            }
            passed = 0;
        }
    }

    fn release(&mut self, plugin: &str, kind: Kind) {
        self.running -= 1;
        self.in_background -= usize::from(is_in_background(kind));
        if let Some(plugin) = self.plugins.get_mut(plugin) {
            plugin.running -= 1;
        }
        self.remove_if_idle(plugin);
    }

    fn remove_if_idle(&mut self, name: &str) {
        if self.plugins.get(name).is_some_and(|plugin| plugin.running == 0 && plugin.queued.is_empty()) {
            self.plugins.remove(name);
        }
    }
}

/// Whether no request waits for such a call: deliveries and messages are sent afterwards.
fn is_in_background(kind: Kind) -> bool {
    match kind {
        Kind::Claims => false,
        Kind::WebhookTransform | Kind::Message => true,
    }
}

impl Drop for CallPermit {
    fn drop(&mut self) {
        if self.held {
            let mut state = self.limiter.lock();
            state.release(&self.plugin, self.kind);
            state.dispatch(&self.limiter);
        }
    }
}

impl Drop for QueuedCall<'_> {
    /// A call that gives up leaves the queue.
    fn drop(&mut self) {
        let mut state = self.limiter.lock();
        let Some(plugin) = state.plugins.get_mut(self.plugin) else { return };
        let before = plugin.queued.len();
        plugin.queued.retain(|(ticket, _)| *ticket != self.ticket);
        let left = before - plugin.queued.len();
        state.waiting -= left;
        state.remove_if_idle(self.plugin);
    }
}

#[cfg(test)]
mod tests;
