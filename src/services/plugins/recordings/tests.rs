//! The queue of calls that are recorded.

use super::*;
use serde_json::json;

fn recording(options: RecordingOptions, left: i64) -> Arc<RunningRecording> {
    Arc::new(RunningRecording {
        id: "r1".to_owned(),
        plugin: "plan".to_owned(),
        options,
        key: Zeroizing::new(vec![7; 32]),
        left: AtomicI64::new(left),
        dropped: AtomicU64::new(0),
        problem: Mutex::default(),
    })
}

fn see(recorder: &Recorder, plugin: &str, user: &str, outcome: &'static str) {
    see_answer(recorder, (plugin, user), outcome, &json!({ "plan": "gold" }));
}

fn see_answer(recorder: &Recorder, (plugin, user): (&str, &str), outcome: &'static str, answer: &Value) {
    let digest = "sha256:1".into();
    recorder.see(&FinishedCall {
        plugin,
        version: Some(1),
        digest: &digest,
        user: Some(user),
        application: Some("app"),
        input: SeenInput::Claims { token: "{}".into(), context: Context::default() },
        outcome,
        answer: Some(answer),
        message: None,
        duration: Duration::from_millis(1),
        instructions: None,
        http: None,
    });
}

#[test]
fn nothing_is_watched_that_nobody_records() {
    let recorder = Recorder::default();
    assert_eq!(recorder.watches("plan"), None);
    recorder.set_running(vec![recording(RecordingOptions::default(), 1)]);
    assert_eq!((recorder.watches("plan"), recorder.watches("other")), (Some(false), None));
    let with_http = RecordingOptions { keep_http: true, ..RecordingOptions::default() };
    recorder.set_running(vec![recording(with_http, 1)]);
    assert_eq!(recorder.watches("plan"), Some(true));
    let with_http = RecordingOptions { keep_http: true, ..RecordingOptions::default() };
    recorder.set_running(vec![recording(with_http, 0), recording(RecordingOptions::default(), 1)]);
    assert_eq!(recorder.watches("plan"), Some(false), "the first has enough");
    see(&recorder, "plan", "ada", "ok");
    assert_eq!(recorder.watches("plan"), None, "both have");
    recorder.set_running(Vec::new());
    assert_eq!(recorder.watches("plan"), None);
}

#[test]
fn only_the_calls_that_are_wanted_are_queued() {
    let recorder = Recorder::default();
    let options = RecordingOptions {
        applications: Some(vec!["app".to_owned()]),
        users: Some(vec!["ada".to_owned()]),
        outcomes: Some(vec![RecordedOutcome::Failed]),
        ..RecordingOptions::default()
    };
    let wanted = recording(options, 2);
    recorder.set_running(vec![Arc::clone(&wanted)]);
    for (plugin, user, outcome) in
        [("other", "ada", "failed"), ("plan", "bob", "failed"), ("plan", "ada", "ok"), ("plan", "ada", "denied")]
    {
        see(&recorder, plugin, user, outcome);
    }
    let queue = recorder.take_queue();
    assert!(recorder.take_queue().is_none(), "there is one writer");
    assert!(queue.is_some_and(|mut queue| queue.try_recv().is_err()));
    assert_eq!(wanted.dropped.load(Ordering::Relaxed), 0);
}

#[test]
fn no_more_calls_are_queued_than_wanted() {
    let recorder = Recorder::default();
    recorder.set_running(vec![recording(RecordingOptions::default(), 3)]);
    (0..10).for_each(|_| see(&recorder, "plan", "ada", "timed_out"));
    let mut queue = recorder.take_queue();
    let queued = std::iter::from_fn(|| queue.as_mut()?.try_recv().ok()).count();
    assert_eq!(queued, 3);
}

#[test]
fn a_full_queue_drops_and_counts_and_nobody_waits() {
    let recorder = Recorder::with_capacity(2);
    let recording = recording(RecordingOptions::default(), 100);
    recorder.set_running(vec![Arc::clone(&recording)]);
    // Nobody reads the queue.
    (0..10).for_each(|_| see(&recorder, "plan", "ada", "ok"));
    assert_eq!(recording.dropped.load(Ordering::Relaxed), 8);
    assert_eq!(recording.left.load(Ordering::Relaxed), 98, "what was dropped is still wanted");
}

#[test]
fn answers_count_for_the_bytes_of_the_queue() {
    let recorder = Recorder::default();
    let recording = recording(RecordingOptions::default(), 100);
    recorder.set_running(vec![Arc::clone(&recording)]);
    let answer = json!({ "text": ["x".repeat(1 << 20)] });
    // Nobody reads the queue.
    (0..20).for_each(|_| see_answer(&recorder, ("plan", "ada"), "ok", &answer));
    assert_eq!(recording.dropped.load(Ordering::Relaxed), 5, "15 of a little more than 1 MiB fit into 16");
}
