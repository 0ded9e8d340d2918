//! The clocks that guests see, whatever their language: in whole milliseconds, the monotonic one from 0 in each call. A
//! finer resolution would let a plugin measure the machine or other plugins (timing side channels).

use std::time::{Duration, Instant};
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, clocks::WallClock};

/// The resolution of every clock.
const CLOCK_RESOLUTION: Duration = Duration::from_millis(1);

/// The time of day.
pub(crate) struct CoarseWall;

/// A time of day that was given: it goes on from there.
pub(crate) struct GivenWall {
    begin: Duration,
    started: Instant,
}

/// The time since the call began.
pub(crate) struct CoarseMonotonic(Instant);

impl CoarseMonotonic {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl HostWallClock for CoarseWall {
    fn resolution(&self) -> Duration {
        CLOCK_RESOLUTION
    }

    fn now(&self) -> Duration {
        whole(WallClock::new().now())
    }
}

impl GivenWall {
    pub(crate) fn start(begin: Duration) -> Self {
        Self { begin, started: Instant::now() }
    }
}

impl HostWallClock for GivenWall {
    fn resolution(&self) -> Duration {
        CLOCK_RESOLUTION
    }

    fn now(&self) -> Duration {
        whole(self.begin.saturating_add(self.started.elapsed()))
    }
}

impl HostMonotonicClock for CoarseMonotonic {
    fn resolution(&self) -> u64 {
        nanoseconds(CLOCK_RESOLUTION)
    }

    fn now(&self) -> u64 {
        nanoseconds(whole(self.0.elapsed()))
    }
}

fn whole(time: Duration) -> Duration {
    let grain = nanoseconds(CLOCK_RESOLUTION);
    time.saturating_sub(Duration::from_nanos(u64::from(time.subsec_nanos()) % grain))
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clock_shows_parts_of_a_millisecond() {
        assert_eq!(whole(Duration::from_nanos(5_123_456_789)), Duration::from_millis(5_123));
        assert_eq!(whole(Duration::from_nanos(999_999)), Duration::ZERO);
        let (wall, monotonic) = (CoarseWall, CoarseMonotonic::start());
        for _ in 0..1000 {
            assert_eq!(wall.now().subsec_nanos() % 1_000_000, 0);
            assert_eq!(monotonic.now() % 1_000_000, 0);
        }
        assert!(monotonic.now() < 60_000_000_000, "it starts with the call");
        assert_eq!((wall.resolution(), monotonic.resolution()), (CLOCK_RESOLUTION, 1_000_000));
    }
}
