//! Who may call now: a bounded number of calls at once, of which one plugin never has more than its share, and a bounded
//! line of its own for each plugin. Plugins take turns, whatever the length of their lines.

use crate::{CallError, Kind};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::oneshot, time::timeout};

/// How long a call may stand in line. It is not charged to the plugin: its deadline begins when it runs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

const TOO_MANY: &str = "too many calls wait already";

/// All slots of a host.
pub(crate) struct Slots(Mutex<State>);

struct State {
    concurrency: usize,
    /// Calls that may stand in all lines together.
    queue: usize,
    running: usize,
    /// Webhook transforms among those that run: no token waits behind a flood of deliveries.
    transforms: usize,
    waiting: usize,
    plugins: HashMap<Arc<str>, Plugin>,
    /// The plugins in whose lines somebody stands, in the order of their turns.
    turns: VecDeque<Arc<str>>,
    next_ticket: u64,
}

/// One plugin that runs or waits.
struct Plugin {
    kind: Kind,
    running: usize,
    line: VecDeque<(u64, oneshot::Sender<Slot>)>,
}

/// A place among the running calls.
pub(crate) struct Slot {
    slots: Arc<Slots>,
    plugin: Arc<str>,
    kind: Kind,
    taken: bool,
}

/// A place in line.
struct Waiting<'a> {
    slots: &'a Slots,
    plugin: &'a str,
    ticket: u64,
}

impl Slots {
    pub(crate) fn new(concurrency: usize, queue: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            concurrency: concurrency.max(1),
            queue,
            running: 0,
            transforms: 0,
            waiting: 0,
            plugins: HashMap::new(),
            turns: VecDeque::new(),
            next_ticket: 0,
        })))
    }

    /// Waits for a slot, behind the calls of the same plugin alone.
    pub(crate) async fn take(self: &Arc<Self>, plugin: &Arc<str>, kind: Kind) -> Result<Slot, CallError> {
        let (ticket, slot) = {
            let mut state = self.lock();
            if state.may_start(plugin, kind) {
                return Ok(state.start(self, plugin, kind));
            }
            state.line_up(plugin, kind)?
        };
        let _place = Waiting { slots: self, plugin, ticket };
        match timeout(PATIENCE, slot).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) => Err(CallError::Unavailable(TOO_MANY.to_owned())),
            Err(_) => Err(CallError::Unavailable(format!("no place came free within {} ms", PATIENCE.as_millis()))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Counters are whole, whoever panicked beside them.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Half of the slots are all that one plugin may have; of one that transforms deliveries, half of what these have.
    fn share(&self, kind: Kind) -> usize {
        let part = match kind {
            Kind::Claims => self.concurrency / 2,
            Kind::WebhookTransform => self.concurrency / 4,
        };
        part.max(1)
    }

    /// Whether there is a slot that this plugin may have.
    fn has_room(&self, plugin: &str, kind: Kind) -> bool {
        let transforms_full = kind == Kind::WebhookTransform && self.transforms >= (self.concurrency / 2).max(1);
        let running = self.plugins.get(plugin).map_or(0, |plugin| plugin.running);
        self.running < self.concurrency && running < self.share(kind) && !transforms_full
    }

    fn may_start(&self, plugin: &str, kind: Kind) -> bool {
        self.has_room(plugin, kind) && self.plugins.get(plugin).is_none_or(|plugin| plugin.line.is_empty())
    }

    fn entry(&mut self, plugin: &Arc<str>, kind: Kind) -> &mut Plugin {
        let new = || Plugin { kind, running: 0, line: VecDeque::new() };
        self.plugins.entry(Arc::clone(plugin)).or_insert_with(new)
    }

    fn start(&mut self, slots: &Arc<Slots>, plugin: &Arc<str>, kind: Kind) -> Slot {
        self.running += 1;
        self.transforms += usize::from(kind == Kind::WebhookTransform);
        self.entry(plugin, kind).running += 1;
        Slot { slots: Arc::clone(slots), plugin: Arc::clone(plugin), kind, taken: true }
    }

    fn line_up(&mut self, plugin: &Arc<str>, kind: Kind) -> Result<(u64, oneshot::Receiver<Slot>), CallError> {
        if self.waiting >= self.queue && !self.shorten_longest(plugin) {
            return Err(CallError::Unavailable(TOO_MANY.to_owned()));
        }
        let (sender, slot) = oneshot::channel();
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting += 1;
        let line = &mut self.entry(plugin, kind).line;
        line.push_back((ticket, sender));
        // Whoever gave up may have left a turn behind.
        if !self.turns.contains(plugin) {
            self.turns.push_back(Arc::clone(plugin));
        }
        Ok((ticket, slot))
    }

    /// Where the lines are full, the last of the longest one makes room, unless the newcomer's would be as long.
    fn shorten_longest(&mut self, newcomer: &str) -> bool {
        let own = self.plugins.get(newcomer).map_or(0, |plugin| plugin.line.len());
        let longest = self.plugins.values_mut().max_by_key(|plugin| plugin.line.len());
        let Some(longest) = longest.filter(|plugin| plugin.line.len() > own + 1) else { return false };
        // Whoever stood there is told by the end of its channel.
        longest.line.pop_back();
        self.waiting -= 1;
        true
    }

    /// Gives free slots to those whose turn it is.
    fn serve(&mut self, slots: &Arc<Slots>) {
        let mut passed = 0;
        while self.running < self.concurrency && passed < self.turns.len() {
            let Some(name) = self.turns.pop_front() else { return };
            let Some(plugin) = self.plugins.get_mut(&name) else { continue };
            let kind = plugin.kind;
            if plugin.line.is_empty() {
                self.forget_if_idle(&name);
                continue;
            }
            if !self.has_room(&name, kind) {
                self.turns.push_back(name);
                passed += 1;
                continue;
            }
            let first = self.plugins.get_mut(&name).and_then(|plugin| plugin.line.pop_front());
            if let Some((_, sender)) = first {
                self.waiting -= 1;
                let slot = self.start(slots, &name, kind);
                if let Err(mut slot) = sender.send(slot) {
                    // It gave up in this moment. Its slot must not lock what is locked already.
                    slot.taken = false;
                    self.end(&name, kind);
                }
            }
            if self.plugins.get(&name).is_some_and(|plugin| !plugin.line.is_empty()) {
                self.turns.push_back(name);
            }
            passed = 0;
        }
    }

    fn end(&mut self, plugin: &str, kind: Kind) {
        self.running -= 1;
        self.transforms -= usize::from(kind == Kind::WebhookTransform);
        if let Some(plugin) = self.plugins.get_mut(plugin) {
            plugin.running -= 1;
        }
        self.forget_if_idle(plugin);
    }

    fn forget_if_idle(&mut self, name: &str) {
        if self.plugins.get(name).is_some_and(|plugin| plugin.running == 0 && plugin.line.is_empty()) {
            self.plugins.remove(name);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.taken {
            let mut state = self.slots.lock();
            state.end(&self.plugin, self.kind);
            state.serve(&self.slots);
        }
    }
}

impl Drop for Waiting<'_> {
    /// Whoever gives up leaves its place to the next.
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        let Some(plugin) = state.plugins.get_mut(self.plugin) else { return };
        let before = plugin.line.len();
        plugin.line.retain(|(ticket, _)| *ticket != self.ticket);
        let left = before - plugin.line.len();
        state.waiting -= left;
        state.forget_if_idle(self.plugin);
    }
}

#[cfg(test)]
mod tests;
