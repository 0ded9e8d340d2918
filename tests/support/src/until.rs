//! Waiting for a condition, with a timeout.

use std::time::Duration;

/// Ten times what anything takes on a slow and busy machine. Only a test that fails waits so long.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Lets whatever is awaited have the processor.
const PAUSE: Duration = Duration::from_millis(2);

/// Asks again until there is an answer; panics with what was awaited when none comes.
pub async fn until<T>(awaited: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    in_time(awaited, asking).await
}

/// What comes of it; panics with what was awaited when it does not end.
pub async fn in_time<T>(awaited: &str, what: impl Future<Output = T>) -> T {
    tokio::time::timeout(TIMEOUT, what).await.unwrap_or_else(|_| panic!("timed out waiting for: {awaited}"))
}
