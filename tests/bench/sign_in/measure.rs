//! One step, repeated by several clients at once: rate, latency, CPU of the server.

use crate::person::{Person, code_of};
use anyhow::Result;
use claimsmith_test_support::Process;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Steps {
    Authorization,
    Exchange,
    Refresh,
    Userinfo,
    Page,
    SignIn,
}

/// What came of it.
pub(crate) struct Measured {
    times: Vec<Duration>,
    elapsed: Duration,
    cpu_seconds: f64,
}

impl Steps {
    pub(crate) const ALL: [Self; 6] =
        [Self::Authorization, Self::Exchange, Self::Refresh, Self::Userinfo, Self::Page, Self::SignIn];

    /// Whether each response has an ID token.
    pub(crate) fn signs_an_id_token(self) -> bool {
        matches!(self, Self::Exchange | Self::Refresh)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Authorization => "authorization with a live session",
            Self::Exchange => "code exchange",
            Self::Refresh => "refresh",
            Self::Userinfo => "userinfo",
            Self::Page => "the page for signing in",
            Self::SignIn => "a whole sign-in",
        }
    }
}

impl Measured {
    /// What these requests took, from the times of each.
    pub(crate) fn of(mut times: Vec<Duration>, elapsed: Duration, cpu_seconds: f64) -> Self {
        times.sort();
        Self { times, elapsed, cpu_seconds }
    }

    /// The latency, in milliseconds, that `part` of a hundred do not exceed.
    pub(crate) fn at(&self, part: usize) -> f64 {
        self.times.get(self.times.len() * part / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }

    /// A row of the table.
    pub(crate) fn row(&self, name: &str) -> String {
        let count = f64::from(u32::try_from(self.times.len()).unwrap_or(u32::MAX));
        let (rate, cpu) = (count / self.elapsed.as_secs_f64(), self.cpu_seconds * 1e6 / count);
        format!("| {name} | {rate:.0} | {:.1} | {:.1} | {cpu:.0} |", self.at(50), self.at(99))
    }
}

/// Repeats a step until the time is over. The CPU that its preparation takes is not counted: codes are made before.
pub(crate) async fn measure(
    server: &Arc<Process>,
    person: &Person,
    step: Steps,
    load: usize,
    time: Duration,
) -> Result<Measured> {
    let (browser, code) = person.sign_in(server).await?;
    let tokens = person.exchange(server, &code).send().await.expect(200);
    let access = tokens.text("access_token");
    // Each client has a token of its own, which is replaced at each use.
    let mut refresh_tokens = vec![String::new(); load];
    if step == Steps::Refresh {
        for token in &mut refresh_tokens {
            let (_, code) = person.sign_in(server).await?;
            *token = person.exchange(server, &code).send().await.expect(200).text("refresh_token");
        }
    }
    let mut codes = Vec::new();
    if step == Steps::Exchange {
        for _ in 0..500 * time.as_secs() {
            codes.push(code_of(&person.open(server, &browser, &person.request(&[("prompt", "none")])).await?)?);
        }
    }
    let codes = std::sync::Mutex::new(codes);
    let (waiting, _) = if step == Steps::Page { Some(person.arrive(server).await?) } else { None }.unzip();
    let (began, cpu) = (Instant::now(), server.cpu_seconds());
    let client = async |mut refresh_token: String| -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        while began.elapsed() < time {
            let asked = Instant::now();
            match step {
                Steps::Authorization => {
                    code_of(&person.open(server, &browser, &person.request(&[("prompt", "none")])).await?)?;
                }
                Steps::Exchange => {
                    let Some(code) = codes.lock().ok().and_then(|mut codes| codes.pop()) else { break };
                    person.exchange(server, &code).send().await.expect(200);
                }
                Steps::Refresh => {
                    let tokens = person.refresh(server, &refresh_token).send().await.expect(200);
                    refresh_token = tokens.text("refresh_token");
                }
                Steps::Userinfo => {
                    server.bearer(&access).get("/oidc/me").await.expect(200);
                }
                Steps::Page => {
                    if let Some(browser) = &waiting {
                        person.open(server, browser, "/sign-in").await?.expect(200);
                    }
                }
                Steps::SignIn => {
                    let (_, code) = person.sign_in(server).await?;
                    person.exchange(server, &code).send().await.expect(200);
                }
            }
            times.push(asked.elapsed());
        }
        Ok(times)
    };
    let times = futures_util::future::try_join_all(refresh_tokens.into_iter().map(client)).await?;
    Ok(Measured::of(times.into_iter().flatten().collect(), began.elapsed(), server.cpu_seconds() - cpu))
}
