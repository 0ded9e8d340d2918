//! The load generator: requests over keep-alive connections, one at a time on each, without pauses or at a rate.
//!
//! HTTP is spoken by hand: the requests are known texts, and a client that costs less than the server leaves the
//! server to be the limit.

use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Requests to make, each once.
pub(crate) struct Requests {
    /// Where.
    pub(crate) address: SocketAddr,
    /// The path.
    pub(crate) path: &'static str,
    /// The `Authorization` header.
    pub(crate) authorization: String,
    /// The `Content-Type` header.
    pub(crate) content_type: &'static str,
    /// How the body of every request begins: for exchanges the form, ending in `&subject_token=`.
    pub(crate) form: String,
    /// How each body ends: for exchanges, with its subject token.
    pub(crate) subject_tokens: Vec<String>,
    /// The status of an answer that is not a refusal.
    pub(crate) success: &'static str,
    /// Whether the bodies of the answers are kept.
    pub(crate) keeps_answers: bool,
}

/// The `Content-Type` of a form.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// What came of them.
#[derive(Default)]
pub(crate) struct Measurement {
    /// Latencies in microseconds, sorted.
    latencies: Vec<u32>,
    /// Time from the first request to the last answer.
    elapsed: Duration,
    /// Answers of another status.
    pub(crate) refused: usize,
    /// The body of one of those.
    pub(crate) refusal: Option<String>,
    /// The bodies of the answers, where they are kept.
    pub(crate) answers: Vec<Vec<u8>>,
    /// CPU of the server.
    pub(crate) cpu_seconds: f64,
}

impl Measurement {
    /// Exchanges per second.
    pub(crate) fn per_second(&self) -> f64 {
        count(self.latencies.len()) / self.elapsed.as_secs_f64()
    }

    /// CPU microseconds of the server for one exchange.
    pub(crate) fn cpu_micros(&self) -> f64 {
        self.cpu_seconds * 1e6 / count(self.latencies.len())
    }

    /// The longest latency, in milliseconds.
    pub(crate) fn most_ms(&self) -> f64 {
        self.latencies.last().map_or(f64::NAN, |micros| f64::from(*micros) / 1000.0)
    }

    /// The latency, in milliseconds, that the `share` fastest exchanges do not exceed.
    pub(crate) fn percentile_ms(&self, share: f64) -> f64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of a short list")]
        let index = (count(self.latencies.len()) * share) as usize;
        self.latencies.get(index).map_or(f64::NAN, |micros| f64::from(*micros) / 1000.0)
    }
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The place of the status in an answer, after `HTTP/1.1 `.
const STATUS: std::ops::Range<usize> = 9..12;

/// Asks until the tokens or the time are used up: as fast as the answers come, or at a rate. Then each latency counts
/// from when its request was due, so that one that waits for a connection has waited.
pub(crate) async fn drive(
    requests: Requests,
    connections: usize,
    time: Duration,
    rate: Option<f64>,
) -> Result<Measurement> {
    let requests = Arc::new(requests);
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..connections {
        tasks.spawn(ask(requests.clone(), next.clone(), started, started + time, rate));
    }
    let mut all = Measurement::default();
    while let Some(one) = tasks.join_next().await {
        let one = one??;
        all.latencies.extend(one.latencies);
        all.refused += one.refused;
        all.refusal = all.refusal.or(one.refusal);
        all.answers.extend(one.answers);
    }
    all.elapsed = started.elapsed();
    all.latencies.sort_unstable();
    Ok(all)
}

/// One connection.
async fn ask(
    requests: Arc<Requests>,
    next: Arc<AtomicUsize>,
    began: Instant,
    end: Instant,
    rate: Option<f64>,
) -> Result<Measurement> {
    let mut stream = TcpStream::connect(requests.address).await?;
    stream.set_nodelay(true)?;
    let mut answer = Vec::with_capacity(8192);
    let mut own = Measurement::default();
    while Instant::now() < end {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(token) = requests.subject_tokens.get(index) else { break };
        let due = rate.map(|rate| began + Duration::from_secs_f64(count(index) / rate));
        if let Some(due) = due {
            tokio::time::sleep_until(due.into()).await;
        }
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: {}\r\nauthorization: {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n\
             {}{token}",
            requests.path,
            requests.address,
            requests.authorization,
            requests.content_type,
            requests.form.len() + token.len(),
            requests.form,
        );
        let asked = due.unwrap_or_else(Instant::now);
        stream.write_all(request.as_bytes()).await?;
        let body = read_answer(&mut stream, &mut answer).await?;
        own.latencies.push(u32::try_from(asked.elapsed().as_micros())?);
        if answer.get(STATUS) == Some(requests.success.as_bytes()) {
            if requests.keeps_answers {
                own.answers.push(answer[body..].to_vec());
            }
        } else {
            own.refused += 1;
            own.refusal.get_or_insert_with(|| String::from_utf8_lossy(&answer[body..]).into_owned());
        }
    }
    Ok(own)
}

/// Reads one answer into `answer`, and says where its body begins.
async fn read_answer(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<usize> {
    answer.clear();
    let body = loop {
        if stream.read_buf(answer).await? == 0 {
            bail!("the server closed a connection that it was to keep");
        }
        if let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let length = content_length(std::str::from_utf8(&answer[..body])?).context("an answer without Content-Length")?;
    while answer.len() < body + length {
        if stream.read_buf(answer).await? == 0 {
            bail!("the server closed a connection within an answer");
        }
    }
    Ok(body)
}

fn content_length(head: &str) -> Option<usize> {
    let header = |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    let (_, value) = head.lines().filter_map(header).find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?;
    value.parse().ok()
}
