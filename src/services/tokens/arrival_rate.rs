//! The arrival rate of jobs, by which a batch decides whether it gathers: while others arrive, a batch that waits a moment
//! has more jobs, so that fewer commits are paid for.
//!
//! What counts are the jobs that arrive while another one is under way: those do not wait for its answer. A caller who
//! asks, waits for the answer and asks again causes none. To a batch without any, one that gathers all the same (a probe)
//! tells a steady rate from such a caller; probes that gather nothing become rare. A batch ends as soon as it has as many
//! jobs as there lately were at once: when all callers wait for it, no other job would arrive.

use std::time::{Duration, Instant};

/// An earlier rate is forgotten when nothing was under way for so long.
const FORGET_AFTER: Duration = Duration::from_millis(20);
/// The part of what was counted that still counts after each batch: the rate is that of the last sixteen or so.
const KEPT: f64 = 15.0 / 16.0;
/// The number of arrivals that make a rate.
const MIN_ARRIVALS: f64 = 3.0;
/// The number of jobs that are worth a wait: at 500 a second, one more job for each commit saves nothing, and everybody is
/// answered later.
const WORTH_A_WAIT: f64 = 1.5;
/// The number of batches in which the most jobs at once are looked for, and as many before.
const PERIOD: u32 = 16;
/// The number of batches between probes: at least, and at most, when the last ones gathered nothing.
const PROBE_AFTER: (u32, u32) = (8, 1024);

/// The recent arrivals at one queue.
pub(super) struct ArrivalRate {
    /// The jobs of batches that run now.
    running: usize,
    /// The jobs of the batch that ended last.
    ended: usize,
    /// Since when jobs are under way, as far as it is not in `overlaps` yet.
    busy_since: Option<Instant>,
    /// Since when nothing is under way.
    idle_since: Option<Instant>,
    /// When the last batch began.
    began: Option<Instant>,
    /// Arrivals while jobs were under way.
    overlaps: Recent,
    /// All arrivals.
    all: Recent,
    /// The most jobs at once in this period.
    most: usize,
    /// The most jobs at once in the previous period.
    most_before: usize,
    /// The batches of this period.
    batches: u32,
    /// Whether the batch that gathers now is a probe.
    probes: bool,
    /// The number of batches since the last probe.
    unprobed: u32,
    /// The number of batches from a probe to the next one.
    probe_after: u32,
}

/// Arrivals within a time; later ones weigh more.
#[derive(Clone, Copy, Default)]
struct Recent {
    jobs: f64,
    seconds: f64,
}

impl Recent {
    fn add(&mut self, jobs: usize) {
        self.jobs += f64::from(u32::try_from(jobs).unwrap_or(u32::MAX));
    }

    /// Whether so many jobs can be expected within a time that it is worth the wait.
    fn expects_within(&self, time: Duration) -> bool {
        self.jobs >= MIN_ARRIVALS && self.jobs * time.as_secs_f64() > WORTH_A_WAIT * self.seconds
    }

    fn fade(&mut self) {
        self.jobs *= KEPT;
        self.seconds *= KEPT;
    }
}

impl Default for ArrivalRate {
    fn default() -> Self {
        Self::probing_after(PROBE_AFTER.0)
    }
}

impl ArrivalRate {
    fn probing_after(probe_after: u32) -> Self {
        Self {
            running: 0,
            ended: 0,
            busy_since: None,
            idle_since: None,
            began: None,
            overlaps: Recent::default(),
            all: Recent::default(),
            most: 0,
            most_before: 0,
            batches: 0,
            probes: false,
            unprobed: 0,
            probe_after,
        }
    }

    /// A batch begins with its first jobs; `was_idle`: they did not wait for it. Returns whether it should gather more,
    /// for `window` at most.
    pub(super) fn begin(&mut self, jobs: usize, was_idle: bool, window: Duration, now: Instant) -> bool {
        self.count_time(now);
        if self.running == 0 && self.idle_since.is_some_and(|since| now.duration_since(since) > FORGET_AFTER) {
            *self = Self::probing_after(self.probe_after);
        }
        self.idle_since = None;
        self.busy_since = Some(now);
        // The first one may come from a caller who waited for an answer.
        self.overlaps.add(if was_idle && self.running == 0 { jobs.saturating_sub(1) } else { jobs });
        // Jobs that waited came while those of the previous batch were under way.
        self.saw(self.running + jobs + if was_idle { 0 } else { self.ended });
        if let Some(before) = self.began.replace(now) {
            self.all.seconds += now.duration_since(before).as_secs_f64();
        }
        self.all.add(jobs);
        if self.overlaps.expects_within(window) {
            return true;
        }
        if self.all.expects_within(window) {
            self.unprobed += 1;
            self.probes = self.unprobed >= self.probe_after;
        }
        self.probes
    }

    /// Whether a batch with so many jobs goes on gathering.
    pub(super) fn expects_more(&self, jobs: usize) -> bool {
        self.probes || self.running + jobs < self.most.max(self.most_before)
    }

    /// The batch has all its jobs, `more` of them since it began, and runs.
    pub(super) fn run(&mut self, jobs: usize, more: usize, now: Instant) {
        self.count_time(now);
        self.overlaps.add(more);
        self.all.add(more);
        self.running += jobs;
        self.saw(self.running);
        if std::mem::take(&mut self.probes) {
            self.unprobed = 0;
            if more > 0 {
                // Nobody waited for an answer, the first one neither.
                self.overlaps = Recent { jobs: 0.0, seconds: self.gathered_for(now) };
                self.overlaps.add(more + 1);
                self.probe_after = PROBE_AFTER.0;
            } else {
                self.probe_after = (self.probe_after * 2).min(PROBE_AFTER.1);
            }
        }
        self.batches += 1;
        if self.batches == PERIOD {
            self.most_before = std::mem::take(&mut self.most);
            self.batches = 0;
        }
    }

    /// A batch has ended.
    pub(super) fn end(&mut self, jobs: usize, now: Instant) {
        self.count_time(now);
        self.running = self.running.saturating_sub(jobs);
        self.ended = jobs;
        if self.running == 0 {
            self.busy_since = None;
            self.idle_since = Some(now);
        }
        self.overlaps.fade();
        self.all.fade();
    }

    fn gathered_for(&self, now: Instant) -> f64 {
        self.began.map_or(0.0, |began| now.duration_since(began).as_secs_f64())
    }

    /// Counts the time since it was counted last, if jobs were under way.
    fn count_time(&mut self, now: Instant) {
        if let Some(since) = self.busy_since {
            self.overlaps.seconds += now.duration_since(since).as_secs_f64();
            self.busy_since = Some(now);
        }
    }

    fn saw(&mut self, jobs: usize) {
        self.most = self.most.max(jobs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_millis(2);
    /// How long a commit takes here.
    const COMMIT: Duration = Duration::from_micros(500);

    /// A queue with one worker, at a time that the test sets.
    struct Queue {
        rate: ArrivalRate,
        now: Instant,
        /// Batches, those that waited, and the jobs of all.
        counts: (usize, usize, usize),
        longest_wait: Duration,
    }

    impl Queue {
        fn new() -> Self {
            Self { rate: ArrivalRate::default(), now: Instant::now(), counts: (0, 0, 0), longest_wait: Duration::ZERO }
        }

        /// Serves jobs that arrive at these times from now, in order.
        fn serve(&mut self, arrivals: impl IntoIterator<Item = Duration>) {
            let began = self.now;
            let mut arrivals = arrivals.into_iter().map(|after| began + after).peekable();
            while let Some(first) = arrivals.next() {
                let was_idle = first >= self.now;
                self.now = self.now.max(first);
                let mut jobs = 1;
                while arrivals.next_if(|at| *at <= self.now).is_some() {
                    jobs += 1;
                }
                let (at_first, end) = (jobs, self.now + WINDOW);
                let waits = self.rate.begin(jobs, was_idle, WINDOW, self.now);
                while waits && self.rate.expects_more(jobs) {
                    let Some(at) = arrivals.next_if(|at| *at <= end) else {
                        self.now = end;
                        break;
                    };
                    self.now = at;
                    jobs += 1;
                }
                self.longest_wait = self.longest_wait.max((self.now + WINDOW).duration_since(end));
                self.rate.run(jobs, jobs - at_first, self.now);
                self.now += COMMIT;
                self.rate.end(jobs, self.now);
                let (batches, waited, served) = self.counts;
                self.counts = (batches + 1, waited + usize::from(waits), served + jobs);
            }
        }

        /// Serves callers who ask again as soon as they are answered.
        fn serve_callers(&mut self, callers: usize, rounds: usize) {
            for _ in 0..rounds {
                let pause = |number: usize| Duration::from_micros(100 + 50 * u64::try_from(number).unwrap_or_default());
                self.serve((0..callers).map(pause));
            }
        }
    }

    /// Every so often.
    fn each(interval: Duration, count: u32) -> impl Iterator<Item = Duration> {
        (1..=count).map(move |number| interval * number)
    }

    #[test]
    fn a_caller_who_waits_for_each_answer_is_hardly_ever_kept_waiting() {
        let mut queue = Queue::new();
        queue.serve_callers(1, 10_000);
        let (batches, waited, served) = queue.counts;
        assert_eq!((batches, served), (10_000, 10_000));
        assert!(waited < 20, "{waited} probes");
    }

    #[test]
    fn a_low_rate_waits_for_nothing() {
        for per_second in [20, 100, 400, 500] {
            let mut queue = Queue::new();
            queue.serve(each(Duration::from_secs(1) / per_second, 2000));
            assert_eq!(queue.counts, (2000, 0, 2000), "{per_second}");
        }
    }

    #[test]
    fn a_steady_rate_shares_commits_and_waits_for_no_longer_than_the_window() {
        for (per_second, at_least) in [(1500, 3), (3000, 6)] {
            let interval = Duration::from_secs(1) / per_second;
            let even: Vec<Duration> = each(interval, 3000).collect();
            let mut uneven: Vec<Duration> =
                (1..=3000).map(|number| interval * number + interval * (number * 7919 % 100) / 100).collect();
            uneven.sort();
            for times in [even, uneven] {
                let mut queue = Queue::new();
                queue.serve(times);
                let (batches, _, served) = queue.counts;
                assert_eq!(served, 3000);
                assert!(batches * at_least <= served, "{per_second}: {batches} commits");
                assert!(queue.longest_wait <= WINDOW);
            }
        }
    }

    #[test]
    fn callers_who_all_wait_are_not_kept_waiting_for_another() {
        let mut queue = Queue::new();
        queue.serve_callers(8, 100);
        let began = queue.now;
        queue.counts = (0, 0, 0);
        queue.serve_callers(8, 100);
        let (batches, _, served) = queue.counts;
        assert_eq!((batches, served), (100, 800));
        assert!(queue.now - began < 100 * WINDOW, "a round takes less than the window");
    }

    #[test]
    fn after_a_pause_nothing_is_expected() {
        let mut queue = Queue::new();
        queue.serve(each(Duration::from_micros(300), 3000));
        assert!(queue.counts.1 > 0);
        queue.now += Duration::from_secs(1);
        queue.counts = (0, 0, 0);
        queue.serve([Duration::ZERO]);
        assert_eq!(queue.counts, (1, 0, 1));
    }
}
