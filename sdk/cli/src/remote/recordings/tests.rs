//! What is asked for, and how a recording is shown.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::{RecordArgs, is_over, row, shown};
use clap::Parser;
use serde_json::json;
use std::time::{Duration, UNIX_EPOCH};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: RecordArgs,
}

fn body(arguments: &[&str]) -> Result<serde_json::Value, String> {
    let command = Command::try_parse_from(["record", "team"].iter().chain(arguments)).map_err(|e| e.to_string())?;
    command.args.body(UNIX_EPOCH + Duration::from_secs(10)).map_err(|error| error.to_string())
}

#[test]
fn only_what_is_named_is_sent() {
    assert_eq!(body(&[]).unwrap(), json!({ "count": 50, "until": 3_610_000 }));
    let all = body(&[
        "--count",
        "1000",
        "--until",
        "24h",
        "--application",
        "a",
        "--application",
        "b",
        "--user",
        "u",
        "--outcome",
        "denied",
        "--days",
        "30",
        "--keep-http",
        "--keep",
        "context.user.customData.plan",
    ]);
    let expected = json!({
        "count": 1000, "until": 86_410_000, "applications": ["a", "b"], "users": ["u"], "outcomes": ["denied"],
        "keep": ["context.user.customData.plan"], "keepHttp": true, "expiresInDays": 30,
    });
    assert_eq!(all.unwrap(), expected);
    for refused in [["--count", "0"], ["--count", "1001"], ["--until", "25h"], ["--until", "0s"], ["--outcome", "late"]]
    {
        assert!(body(&refused).is_err(), "{refused:?}");
    }
}

#[test]
fn a_recording_shows_whether_it_goes_on() {
    let mut recording = json!({
        "id": "q3v8k1znw2pd", "count": 50, "recorded": 12, "dropped": 0, "until": 60_000, "keepHttp": false,
        "applications": null, "users": ["u1"], "createdAt": 0, "createdBy": "ada", "state": "recording",
        "endedAt": null, "expiresAt": 604_800_000,
    });
    let text = shown(&recording);
    assert!(text.contains("samples    12 of 50") && text.contains("state      recording\n"), "{text}");
    assert!(text.contains("users      u1\n") && !text.contains("applications"), "{text}");
    assert!(!is_over(&recording));
    recording["state"] = json!("complete");
    assert!(is_over(&recording));
    assert_eq!(row(&recording)[..3], ["q3v8k1znw2pd", "complete", "12"]);
}
