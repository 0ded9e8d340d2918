//! The default plugins pass their golden cases.

use claimsmith_harness::{Harness, HarnessOptions};
use std::path::Path;

#[tokio::test]
async fn the_golden_cases_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugins");
    let report = Harness::new(HarnessOptions::default()).unwrap().run_folder(&folder).await.unwrap();
    let names: Vec<_> = report.plugins.iter().map(|plugin| plugin.name.as_str()).collect();
    let expected = [
        "cloudevents",
        "impersonation",
        "impersonation-guard",
        "postmark",
        "redact",
        "roles",
        "slack",
        "subscription",
        "twilio",
    ];
    assert_eq!(names, expected);
    assert!(report.plugins.iter().all(|plugin| plugin.cases.as_ref().is_ok_and(|cases| !cases.is_empty())));
    assert!(report.passed(), "{report:#?}");
}
