//! The queue of password hashing: bounded, and fair by client address. A full queue drops the newest job of the client
//! with the most jobs, so a newcomer finds a place; some places are reserved for verification, so that new passwords
//! never keep users from signing in.

use claimsmith_domain::client_address::{ClientNetwork, networks};
use std::collections::HashMap;
use std::net::IpAddr;

/// One of so many started jobs is a new password, while both kinds wait.
const STARTS_PER_NEW_PASSWORD: u64 = 4;

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// Verifying a password: some places are reserved for this.
    Verification,
    /// Hashing a new password.
    NewPassword,
}

/// A client. `None`: a client without an address.
pub(super) type Client = Option<IpAddr>;

/// What waits in the queue.
pub(super) trait Job {
    /// Whether its caller has given up.
    fn is_abandoned(&self) -> bool;
}

/// How many jobs the queue takes, waiting or in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueueLimits {
    /// In total; one client has at most half of them.
    pub all: usize,
    /// Reserved for verification.
    pub for_verification: usize,
}

/// A job that waits.
struct Waiting<J> {
    lane: Lane,
    client: Client,
    /// In the order of arrival.
    number: u64,
    job: J,
}

/// A job that starts. It keeps its place until [`JobQueue::leave`].
pub(super) struct Started<J> {
    /// The job.
    pub job: J,
    /// The place to give back.
    pub place: (Lane, Client),
}

/// There is no place for a job.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// The jobs.
pub(super) struct JobQueue<J> {
    places: QueueLimits,
    waiting: Vec<Waiting<J>>,
    /// The number of jobs of each network, waiting or in progress. `None`: of clients without an address.
    held: HashMap<Option<ClientNetwork>, usize>,
    /// When a job of each network started last, for networks that have any jobs. Counted in starts.
    started: HashMap<Option<ClientNetwork>, u64>,
    all: usize,
    new_passwords: usize,
    arrivals: u64,
    starts: u64,
}

/// The keys of a client's counts, narrowest first.
fn keys(client: Client) -> impl DoubleEndedIterator<Item = Option<ClientNetwork>> {
    let nameless = client.is_none().then_some(None);
    client.into_iter().flat_map(networks).map(Some).chain(nameless)
}

impl<J: Job> JobQueue<J> {
    pub(super) fn new(places: QueueLimits) -> Self {
        Self {
            places,
            waiting: Vec::new(),
            held: HashMap::new(),
            started: HashMap::new(),
            all: 0,
            new_passwords: 0,
            arrivals: 0,
            starts: 0,
        }
    }

    /// Adds a job. Returns the job that was dropped for it, if any.
    pub(super) fn enter(&mut self, lane: Lane, client: Client, job: J) -> Result<Option<J>, Full> {
        if keys(client).next().is_some_and(|own| self.held_by(own) >= self.places.all.div_ceil(2)) {
            return Err(Full);
        }
        if self.is_full(lane) {
            self.forget_abandoned();
        }
        let dropped = if self.is_full(lane) { Some(self.make_room(lane, client)?) } else { None };
        for key in keys(client) {
            *self.held.entry(key).or_default() += 1;
        }
        self.all += 1;
        self.new_passwords += usize::from(lane == Lane::NewPassword);
        self.arrivals += 1;
        self.waiting.push(Waiting { lane, client, number: self.arrivals, job });
        Ok(dropped)
    }

    /// The next job; clients take turns, and so do the customers of a wide network among themselves.
    pub(super) fn next(&mut self) -> Option<Started<J>> {
        let is_new_passwords_turn = self.starts % STARTS_PER_NEW_PASSWORD == STARTS_PER_NEW_PASSWORD - 1;
        let turn = |lane: Lane| (lane == Lane::NewPassword) != is_new_passwords_turn;
        let last = |key| self.started.get(&key).copied().unwrap_or_default();
        let order = |one: &Waiting<J>| {
            // The widest network first.
            let turns: Vec<u64> = keys(one.client).rev().map(last).collect();
            (turn(one.lane), turns, one.number)
        };
        let (index, _) = self.waiting.iter().enumerate().min_by_key(|(_, one)| order(one))?;
        let Waiting { lane, client, job, .. } = self.waiting.remove(index);
        self.starts += 1;
        for key in keys(client) {
            self.started.insert(key, self.starts);
        }
        Some(Started { job, place: (lane, client) })
    }

    /// Gives the place of a job back.
    pub(super) fn leave(&mut self, (lane, client): (Lane, Client)) {
        for key in keys(client) {
            if let Some(held) = self.held.get_mut(&key) {
                *held -= 1;
                if *held == 0 {
                    self.held.remove(&key);
                    self.started.remove(&key);
                }
            }
        }
        self.all -= 1;
        self.new_passwords -= usize::from(lane == Lane::NewPassword);
    }

    /// Drops all that wait.
    pub(super) fn clear(&mut self) {
        for one in std::mem::take(&mut self.waiting) {
            self.leave((one.lane, one.client));
        }
    }

    fn is_full(&self, lane: Lane) -> bool {
        let for_new = self.places.all.saturating_sub(self.places.for_verification);
        self.all >= self.places.all || (lane == Lane::NewPassword && self.new_passwords >= for_new)
    }

    fn held_by(&self, key: Option<ClientNetwork>) -> usize {
        self.held.get(&key).copied().unwrap_or_default()
    }

    /// The load of a client with so many jobs more: of its networks, the highest number of jobs per share.
    fn load(&self, client: Client, more: usize) -> usize {
        let load = |key: Option<ClientNetwork>| {
            (self.held_by(key) + more).div_ceil(key.map_or(1, |network| usize::from(network.shares()).max(1)))
        };
        keys(client).map(load).max().unwrap_or_default()
    }

    fn forget_abandoned(&mut self) {
        let gone: Vec<_> = self.waiting.extract_if(.., |one| one.job.is_abandoned()).collect();
        for one in gone {
            self.leave((one.lane, one.client));
        }
    }

    /// Drops the newest job of the client with the most jobs; nothing if that is the caller. New passwords never
    /// replace a verification.
    fn make_room(&mut self, lane: Lane, client: Client) -> Result<J, Full> {
        let may_go = |one: &Waiting<J>| lane == Lane::Verification || one.lane == Lane::NewPassword;
        let candidates = self.waiting.iter().enumerate().filter(|(_, one)| may_go(one));
        let loads =
            candidates.map(|(index, one)| (self.load(one.client, 0), one.lane == Lane::NewPassword, one.number, index));
        let heaviest = loads.max_by_key(|(load, is_new, number, _)| (*load, *is_new, *number));
        let (load, .., index) = heaviest.ok_or(Full)?;
        if load <= self.load(client, 1) {
            return Err(Full);
        }
        let gone = self.waiting.remove(index);
        self.leave((gone.lane, gone.client));
        Ok(gone.job)
    }

    /// How many wait.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing waits or is in progress, and no client is remembered.
    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        self.all == 0 && self.held.is_empty() && self.started.is_empty()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::Lane::{NewPassword, Verification};
    use super::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

    /// Whether its caller has given up, and its name.
    type Named = (bool, &'static str);

    impl Job for Named {
        fn is_abandoned(&self) -> bool {
            self.0
        }
    }

    const PLACES: QueueLimits = QueueLimits { all: 16, for_verification: 4 };

    fn at(last: u8) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, last).into()
    }

    /// The /64 of this number in the /48 of that one.
    fn in_site(site: u128, subnet: u128) -> IpAddr {
        Ipv6Addr::from_bits(0x2001_0db8_u128 << 96 | site << 80 | subnet << 64 | 1).into()
    }

    fn names(queue: &mut JobQueue<Named>) -> Vec<&'static str> {
        std::iter::from_fn(|| queue.next()).map(|started| started.job.1).collect()
    }

    #[test]
    fn clients_take_turns_and_so_do_the_customers_of_a_network() {
        let mut queue = JobQueue::new(PLACES);
        for name in ["one 1", "one 2", "one 3"] {
            assert_eq!(queue.enter(Verification, Some(at(1)), (false, name)), Ok(None));
        }
        let others = [(0, "site a1"), (0, "site a2"), (1, "site b1"), (2, "site c1")];
        for (subnet, name) in others {
            assert_eq!(queue.enter(Verification, Some(in_site(1, subnet)), (false, name)), Ok(None));
        }
        let expected = ["one 1", "site a1", "one 2", "site b1", "one 3", "site c1", "site a2"];
        assert_eq!(names(&mut queue), expected);
    }

    #[test]
    fn a_quarter_of_the_starts_are_new_passwords_while_both_wait() {
        let mut queue = JobQueue::new(PLACES);
        for number in 0..6 {
            queue.enter(NewPassword, Some(at(number)), (false, "new")).unwrap();
            queue.enter(Verification, Some(at(100 + number)), (false, "verify")).unwrap();
        }
        let order = names(&mut queue);
        let expected = ["verify", "verify", "verify", "new", "verify", "verify", "verify", "new", "new"];
        assert_eq!(order[..9], expected);
    }

    #[test]
    fn two_addresses_at_new_passwords_leave_room_for_everybody_else() {
        let mut queue = JobQueue::new(PLACES);
        for number in 0..40 {
            // Each is refused once both have as many: the dropped job would be its own newest.
            let entered = queue.enter(NewPassword, Some(at(number % 2)), (false, "flood"));
            assert_eq!(entered.is_ok(), number < 12, "{number}");
        }
        // Verifications from four other addresses find free places.
        for number in 10..14 {
            assert_eq!(queue.enter(Verification, Some(at(number)), (false, "right")), Ok(None), "{number}");
        }
        // A fifth replaces a job of the flood, and so does a new password from another address.
        assert_eq!(queue.enter(Verification, Some(at(14)), (false, "right")), Ok(Some((false, "flood"))));
        assert_eq!(queue.enter(NewPassword, Some(at(20)), (false, "wanted")), Ok(Some((false, "flood"))));
        let order = names(&mut queue);
        assert_eq!(order.iter().filter(|name| **name == "right").count(), 5);
        assert_eq!(order[..5].iter().filter(|name| **name == "right").count(), 4, "{order:?}");
        assert!(order.contains(&"wanted"));
    }

    #[test]
    fn the_newest_job_of_whoever_has_most_goes_and_never_a_verification_for_a_new_password() {
        let mut queue = JobQueue::new(PLACES);
        for (client, count) in [(1, 7), (2, 5)] {
            for number in 0..count {
                let name = if number + 1 == count { "newest" } else { "older" };
                queue.enter(Verification, Some(at(client)), (false, name)).unwrap();
            }
        }
        for name in ["three 1", "three 2", "three 3", "three 4"] {
            queue.enter(NewPassword, Some(at(3)), (false, name)).unwrap();
        }
        assert_eq!(queue.enter(NewPassword, Some(at(4)), (false, "four")), Ok(Some((false, "three 4"))));
        assert_eq!(queue.enter(Verification, Some(at(5)), (false, "five")), Ok(Some((false, "newest"))));
        // A client that would have the most jobs itself is refused.
        assert_eq!(queue.enter(Verification, Some(at(1)), (false, "more")), Err(Full));
        assert_eq!(queue.enter(NewPassword, Some(at(3)), (false, "more")), Err(Full));
    }

    #[test]
    fn many_networks_of_one_customer_count_as_a_few() {
        let mut queue = JobQueue::new(QueueLimits { all: 128, for_verification: 32 });
        for subnet in 0..96 {
            queue.enter(NewPassword, Some(in_site(1, subnet << 8)), (false, "flood")).unwrap();
        }
        // Each of them has one job, but six for each share of their /48.
        assert_eq!(queue.enter(NewPassword, Some(at(1)), (false, "one")), Ok(Some((false, "flood"))));
        assert_eq!(queue.enter(NewPassword, Some(in_site(1, 0xffff)), (false, "more")), Err(Full));
        assert_eq!(queue.enter(NewPassword, Some(in_site(2, 0)), (false, "other")), Ok(Some((false, "flood"))));
    }

    #[test]
    fn whoever_has_given_up_makes_room_first_and_places_come_back() {
        let mut queue = JobQueue::new(QueueLimits { all: 4, for_verification: 0 });
        for (client, job) in [(1, (false, "kept")), (2, (true, "gone")), (3, (false, "kept")), (4, (true, "gone"))] {
            assert_eq!(queue.enter(Verification, Some(at(client)), job), Ok(None));
        }
        assert_eq!(queue.enter(Verification, None, (false, "kept")), Ok(None));
        assert_eq!(queue.len(), 3);
        while let Some(started) = queue.next() {
            queue.leave(started.place);
        }
        assert!(queue.is_idle());
        for _ in 0..2 {
            queue.enter(NewPassword, Some(at(1)), (false, "half")).unwrap();
        }
        assert_eq!(queue.enter(NewPassword, Some(at(1)), (false, "more")), Err(Full), "one client has half of them");
        queue.clear();
        assert!(queue.is_idle());
    }
}
