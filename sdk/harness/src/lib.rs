//! Runs a plugin's golden cases (tests) on the server's own runtime: a case that passes here behaves the same in
//! production.
//!
//! `NAME.cases.json` beside a plugin is an array of cases; each has the plugin's input and the expected answer:
//!
//! ```json
//! [
//!   {
//!     "name": "the ticket becomes a claim",
//!     "input": {
//!       "token": {},
//!       "context": {
//!         "grant": {
//!           "type": "urn:ietf:params:oauth:grant-type:token-exchange",
//!           "subjectTokenContext": { "ticketId": "T-1" }
//!         }
//!       },
//!       "environmentVariables": { "TICKET_CLAIM": "ticket" }
//!     },
//!     "expected": { "claims": { "ticket": "T-1" } }
//!   }
//! ]
//! ```
//!
//! `expected` is `{"claims": {…}}`, compared as a whole; `{"denied": "message"}`, compared exactly; or
//! `{"failed": "part of the error"}`. A case's variables override the manifest's. Secrets are never read: each has the
//! placeholder `secret:NAME` as its value, unless the case sets it. The manifest's filters and `enabled` are ignored.
//!
//! A plugin with `[capabilities.http]` gets the stub responses of the case, `"http": [{"url": "https://…", "body":
//! {…}}]` beside `input` (also `method`, `status`, `headers`); a request that the case does not list fails.
//!
//! A plugin with `[capabilities.cache]` finds the entries of the case, `"cache": [{"owner": "user", "key": "plan",
//! "value": {…}}]`, and a cache that is empty otherwise. `"instructions": 500000` is the most that the call may execute.
//!
//! A case of a webhook transform has the input `{"event": {…}, "hook": {…}, "id": "msg_…"}`, of which `event`, the body
//! as it would be sent, is required. It expects `{"sent": {"body": …, "headers": {…}, "path": "…"}}`, without those
//! that the transform does not change, `{"dropped": "reason"}`, compared exactly, or `{"failed": "part of the error"}`.
//!
//! A case of a message plugin has the input `{"message": {"channel": "Sms", "recipient": "+1650…", "code": "123456", …}}`.
//! It expects `{"request": {"url": "https://…", "headers": {…}, "body": …}}` (also `method`), compared as a whole;
//! `{"denied": "why"}`, or `{"failed": "part of the error"}`. A request that the manifest does not grant fails.
//!
//! Calls that a server recorded ([`Sample`]) are replayed by [`LoadedPlugin::replay`], and [`Comparison`] is the table
//! of what differs.

mod c_bindings;
mod case;
mod comparison;
mod comparison_table;
mod delivery;
mod diff;
mod input;
mod message;
mod random_inputs;
mod recorded_http;
mod recording;
mod replay;
mod report;
mod run;
mod stub_servers;

pub use c_bindings::c_bindings;
pub use case::{CachedEntry, Case, CaseAnswer, CasesError, case_lines, load_cases, parse_cases};
pub use comparison::{Change, ClaimChange, Class, Difference, Ending, Noise, compare, noise};
pub use comparison_table::{ClaimCounts, ClassRow, ComparedRun, Comparison, MAX_CLAIMS, MAX_SAMPLES};
pub use delivery::{HookInput, SentDelivery};
pub use diff::diff;
pub use input::{CaseContext, CaseGrant, Input, InputError};
pub use message::{MessageInput, Requested};
pub use random_inputs::{RandomInputs, case_of, fault};
pub use recorded_http::{AnsweredRequest, RecordedExchange, RecordedServers};
pub use recording::{MAX_RECORDING_BYTES, MAX_SAMPLE_BYTES, RecordingError, Sample, load_recording, parse_recording};
pub use replay::Replayed;
pub use report::{CaseReport, PluginReport, Report};
pub use run::{Harness, HarnessOptions, LoadedPlugin, run_case};
pub use stub_servers::StubResponse;
