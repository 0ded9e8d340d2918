//! Recordings of calls, in the database: which go on, on all nodes, and the samples, which are redacted, encrypted and
//! written after the response. What cannot be written is dropped and counted, and the recording says why.

mod baseline;
#[cfg(test)]
mod tests;

use crate::encryption::{Cipher, EncryptionError, Purpose};
use crate::plugins::recordings::{
    Queued, Redaction, ReplayedServers, RunningRecording, SeenCall, redacted_input, sample,
};
use crate::plugins::{Plugins, RecordingOptions};
use crate::supervisor::contain;
use baseline::Baselines;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::{Random, RandomError};
use claimsmith_runtime::json::{self, STORED};
use claimsmith_storage::plugins::recordings::{self, NewSample, Recording, Sample};
use claimsmith_storage::{self as storage, Db, Document as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

/// While a recording goes on, this is how often a node asks how many samples are still wanted.
const POLL: Duration = Duration::from_secs(1);
/// Without one a node asks so seldom: a recording that begins is a change of its plugin, which wakes this task.
const LONGEST_POLL: Duration = Duration::from_secs(30);
/// Most samples of one transaction.
const SAMPLES_PER_TRANSACTION: usize = 50;
/// How long calls gather before they are written.
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);
/// How long after the last call the versions are given back that were loaded for recordings, once these are over.
const FORGET_AFTER: Duration = Duration::from_secs(10);
/// Most bytes of one sample.
const MAX_SAMPLE_BYTES: usize = 512 << 10;
/// Bytes of the key of the pseudonyms.
const KEY_BYTES: usize = 32;

/// The recordings of a server. Cheap to clone.
#[derive(Clone)]
pub struct Recordings {
    db: Db,
    clock: Clock,
    random: Random,
    cipher: Arc<Cipher>,
    plugins: Plugins,
    /// Held while this node catches up: nothing is told twice, and what is followed is never older than it was.
    round: Arc<tokio::sync::Mutex<()>>,
}

impl Recordings {
    /// None goes on until the first [`Self::catch_up`].
    #[must_use]
    pub fn new((db, clock): (&Db, &Clock), random: &Random, cipher: &Arc<Cipher>, plugins: &Plugins) -> Self {
        Self {
            db: db.clone(),
            clock: clock.clone(),
            random: random.clone(),
            cipher: Arc::clone(cipher),
            plugins: plugins.clone(),
            round: Arc::default(),
        }
    }

    /// A new key for the pseudonyms of a recording, encrypted.
    pub fn new_key(&self, recording: &str) -> Result<Result<String, EncryptionError>, RandomError> {
        let key = Zeroizing::new(self.random.bytes::<KEY_BYTES>()?);
        Ok(self.cipher.encrypt(Purpose::RecordingKey, recording, key.as_slice()))
    }

    /// A sample as it was written, with its number.
    pub fn read(&self, stored: &Sample) -> Result<Value, EncryptionError> {
        let text = self.cipher.decrypt(Purpose::PluginSample, &stored.id, &stored.sealed)?;
        let mut value: Value = json::read(text.as_slice(), STORED).map_err(|_| EncryptionError::Damaged)?;
        let members = value.as_object_mut().ok_or(EncryptionError::Damaged)?;
        members.insert("number".to_owned(), json!(stored.number));
        Ok(value)
    }

    /// The recording with what this node has dropped since the database was last told.
    #[must_use]
    pub fn with_local(&self, mut recording: Recording) -> Recording {
        let running = self.plugins.recorder().running();
        if let Some(local) = running.iter().find(|running| running.id == recording.id) {
            let dropped = i64::try_from(local.dropped.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
            recording.dropped = recording.dropped.saturating_add(dropped);
            let problem = local.problem.lock().unwrap_or_else(PoisonError::into_inner).clone();
            recording.problem = problem.or(recording.problem);
        }
        recording
    }

    /// Reads which recordings go on, and returns when this node follows them.
    pub async fn catch_up(&self) -> storage::Result<()> {
        let _one = self.round.lock().await;
        let recorder = self.plugins.recorder();
        let known = recorder.running();
        for recording in &known {
            if let Err(error) = self.tell(recording).await {
                // It is told later, and shown by this node meanwhile.
                tracing::debug!(%error, "what a recording lost cannot be written yet");
            }
        }
        let rows = recordings::running(&mut self.db.read().await?, self.clock.now_ms()).await?;
        let mut running = Vec::with_capacity(rows.len());
        for row in rows {
            let left = row.wanted - row.recorded;
            match known.iter().find(|known| known.id == row.id) {
                Some(known) => {
                    known.left.store(left, Ordering::Relaxed);
                    running.push(Arc::clone(known));
                }
                None => running.extend(self.open(row, left).map(Arc::new)),
            }
        }
        recorder.set_running(running);
        Ok(())
    }

    /// `None` if its key or its options cannot be read.
    fn open(&self, row: Recording, left: i64) -> Option<RunningRecording> {
        let Recording { id, plugin_name: plugin, options, sealed_key, .. } = row;
        let key = self.cipher.decrypt(Purpose::RecordingKey, &id, &sealed_key?);
        let key = key.inspect_err(|error| tracing::debug!(recording = id, %error, "a recording cannot be continued"));
        let options = Some(options).filter(|options| !options.is_unreadable())?;
        let options: RecordingOptions = serde_json::from_value(options.0).ok()?;
        let (left, dropped) = (AtomicI64::new(left), AtomicU64::new(0));
        Some(RunningRecording { id, plugin, options, key: key.ok()?, left, dropped, problem: Mutex::default() })
    }

    /// Writes what was dropped, and why.
    async fn tell(&self, recording: &RunningRecording) -> storage::Result<()> {
        let dropped = recording.dropped.load(Ordering::Relaxed);
        let problem = recording.problem.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if dropped == 0 && problem.is_none() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        let count = i64::try_from(dropped).unwrap_or(i64::MAX);
        recordings::note(&mut tx, &recording.id, count, problem.as_deref()).await?;
        tx.commit().await?;
        recording.dropped.fetch_sub(dropped, Ordering::Relaxed);
        let mut noted = recording.problem.lock().unwrap_or_else(PoisonError::into_inner);
        if *noted == problem {
            *noted = None;
        }
        Ok(())
    }

    /// Follows the recordings of all nodes until shutdown.
    pub async fn follow(self, stopping: CancellationToken) {
        let mut is_blind = false;
        let mut changes = self.plugins.store_changes();
        loop {
            changes.mark_unchanged();
            let caught_up = contain("recordings", self.catch_up()).await;
            let is_busy = !matches!(caught_up, Ok(Ok(()))) || !self.plugins.recorder().running().is_empty();
            // A panic was logged.
            let failed = caught_up.ok().and_then(Result::err);
            let pause = tokio::time::sleep(if is_busy { POLL } else { LONGEST_POLL });
            let woken = async {
                tokio::select! {
                    () = pause => {}
                    // The sender lives as long as the plugins.
                    _ = changes.changed() => {}
                }
            };
            if let Some(error) = failed.as_ref().filter(|_| !is_blind) {
                tracing::warn!(%error, "recordings of plugins cannot be followed; trying again");
            }
            is_blind = failed.is_some();
            if stopping.run_until_cancelled(woken).await.is_none() {
                return;
            }
        }
    }

    /// Redacts and writes calls until shutdown; those that wait then are lost.
    pub async fn write(self, stopping: CancellationToken) {
        let Some(mut queue) = self.plugins.recorder().take_queue() else { return };
        let mut baselines = Baselines::default();
        let mut calls = Vec::new();
        loop {
            let received = tokio::select! {
                received = stopping.run_until_cancelled(queue.recv_many(&mut calls, SAMPLES_PER_TRANSACTION)) => received,
                () = tokio::time::sleep(FORGET_AFTER), if !baselines.is_empty() => {
                    self.forget_others(&mut baselines);
                    continue;
                }
            };
            if received.is_none_or(|count| count == 0) {
                return;
            }
            // A panic was logged; its calls are lost.
            let written = contain("recording", self.write_all(std::mem::take(&mut calls), &mut baselines));
            if stopping.run_until_cancelled(written).await.is_none() {
                return;
            }
            stopping.run_until_cancelled(tokio::time::sleep(FLUSH_INTERVAL)).await;
        }
    }

    async fn write_all(&self, calls: Vec<Queued<SeenCall>>, baselines: &mut Baselines) {
        self.forget_others(baselines);
        let mut by_recording: BTreeMap<String, Vec<Queued<SeenCall>>> = BTreeMap::new();
        for call in calls {
            by_recording.entry(call.recording.id.clone()).or_default().push(call);
        }
        for calls in by_recording.into_values() {
            let Some(recording) = calls.first().map(|call| Arc::clone(&call.recording)) else { continue };
            let redaction = Redaction::new(&recording.key, &recording.options.keep);
            let mut samples = Vec::with_capacity(calls.len());
            for call in &calls {
                match self.sample(call, &redaction, baselines).await {
                    Ok(sample) => samples.push(sample),
                    Err(problem) => lost(&recording, 1, problem),
                }
            }
            if let Err(error) = self.store(&recording.id, &samples).await {
                tracing::warn!(plugin = recording.plugin, %error, samples = samples.len(), "samples are lost");
                let problem = if error.is_full() {
                    "the disk of the database is full"
                } else {
                    "samples could not be written to the database"
                };
                lost(&recording, samples.len(), problem);
            }
        }
    }

    /// Gives back the active versions of plugins that are no longer recorded.
    fn forget_others(&self, baselines: &mut Baselines) {
        let running = self.plugins.recorder().running();
        baselines.keep_only(|plugin| running.iter().any(|recording| recording.plugin == plugin));
    }

    async fn store(&self, recording: &str, samples: &[NewSample]) -> storage::Result<()> {
        let mut tx = self.db.begin().await?;
        recordings::add(&mut tx, recording, samples, self.clock.now_ms()).await?;
        tx.commit().await
    }

    /// A call, redacted, beside what the active version answers to the redacted input.
    async fn sample(
        &self,
        call: &SeenCall,
        redaction: &Redaction,
        baselines: &mut Baselines,
    ) -> Result<NewSample, &'static str> {
        let now = self.clock.now_ms();
        let input = redacted_input(&call.input, redaction).ok_or("an input could not be read")?;
        let servers = Arc::new(ReplayedServers::new(&call.http, redaction));
        let active = (&self.db, &self.plugins);
        let redacted = baselines.answer(active, &call.recording.plugin, &input, &servers).await;
        let text = sample(call, now, (&input, redaction), redacted.as_ref(), &servers.shown()).to_string();
        if text.len() > MAX_SAMPLE_BYTES {
            return Err("a call was larger than a sample may be");
        }
        let id = self.random.id_at(now).map_err(|_| "the system's random source failed")?;
        let sealed = self.cipher.encrypt(Purpose::PluginSample, &id, text.as_bytes());
        let sealed = sealed.map_err(|_| "a sample could not be encrypted")?;
        Ok(NewSample { id, user_id: call.user.clone(), sealed })
    }
}

/// Counts samples that are lost.
fn lost(recording: &RunningRecording, count: usize, problem: &str) {
    recording.dropped.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
    *recording.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem.to_owned());
}
