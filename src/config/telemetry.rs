//! Logs to standard error and metrics for Prometheus: how both are set up, and the names of the metrics.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tokio_util::sync::CancellationToken;
use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{DefaultFields, FormatFields, Writer};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::held_log::{HeldWriter, MAX_HOLD};
use crate::{LogConfig, LogFormat, LogHold};

/// Answered requests, by `method`, `route` and `status`.
pub const HTTP_REQUESTS: &str = "claimsmith_http_requests_total";
/// Time from request to response, by `method` and `route`.
pub const HTTP_REQUEST_SECONDS: &str = "claimsmith_http_request_seconds";
/// Requests to the token endpoint, by `grant` (the last word of the grant type) and `outcome`: `issued` or the error.
pub const TOKEN_REQUESTS: &str = "claimsmith_token_requests_total";
/// Refused token requests, by `kept`: `alone` in their own audit log entry, or `folded` into a shared one.
pub const AUDIT_REFUSALS: &str = "claimsmith_audit_refusals_total";
/// Calls of plugins, by `plugin` and `outcome`.
pub const PLUGIN_CALLS: &str = "claimsmith_plugin_calls_total";
/// Duration of plugin calls, by `plugin` and `outcome`.
pub const PLUGIN_CALL_SECONDS: &str = "claimsmith_plugin_call_seconds";
/// Reloaded plugin files, by `outcome`.
pub const PLUGIN_RELOADS: &str = "claimsmith_plugin_reloads_total";

/// Refused connections, by `reason`: `all` or `address`.
pub const CONNECTIONS_REFUSED: &str = "claimsmith_connections_refused_total";
/// See `describe`.
pub const REQUESTS_REFUSED: &str = "claimsmith_requests_refused_total";

/// Refused rows that outsiders tried to create, by `kind` and `bound`: `holder` or `total`.
pub const ROWS_REFUSED: &str = "claimsmith_rows_refused_total";

/// Histogram buckets in seconds: from the call of a small plugin to a request that times out.
const SECONDS: &[f64] = &[
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
    10.0, 30.0,
];

/// How often recorded values are folded into the histograms; until then they take memory.
const HISTOGRAM_UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The reason that telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The filter of the log does not parse; impossible with a validated configuration.
    #[error("log.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// A logger is already installed in this process.
    #[error("logging: {0}")]
    Logging(#[from] tracing_subscriber::util::TryInitError),
    /// A metrics recorder is already installed in this process.
    #[error("metrics: {0}")]
    Metrics(#[from] BuildError),
}

/// Sends the log of this process to standard error. Once per process. Lines for people are held back until the hold is
/// dropped, for a few seconds at most.
pub fn start_logging(log: &LogConfig) -> Result<LogHold, Error> {
    let (writer, hold) = HeldWriter::new(io::stderr(), (log.format == LogFormat::Text).then_some(MAX_HOLD));
    subscriber(log, io::stderr().is_terminal(), writer)?.try_init()?;
    Ok(hold)
}

fn subscriber<W>(log: &LogConfig, colours: bool, writer: W) -> Result<Box<dyn Subscriber + Send + Sync>, Error>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let filter = EnvFilter::builder().parse(&log.filter)?;
    // A line that cannot be written is dropped: reporting it would write to standard error too, and panic if that
    // fails.
    let lines = tracing_subscriber::fmt().log_internal_errors(false).with_env_filter(filter).with_writer(writer);
    Ok(match log.format {
        LogFormat::Text => Box::new(lines.with_ansi(colours).fmt_fields(OneLine).finish()),
        LogFormat::Json => Box::new(lines.json().flatten_event(true).with_span_list(false).finish()),
    })
}

/// Formats fields with line breaks and terminal control characters escaped, since they contain untrusted text.
struct OneLine;

impl<'writer> FormatFields<'writer> for OneLine {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> fmt::Result {
        DefaultFields::new().format_fields(Writer::new(&mut Escaped(&mut writer)), fields)
    }
}

struct Escaped<W>(W);

impl<W: fmt::Write> fmt::Write for Escaped<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|character| match character {
            // Line separators and bidirectional controls, which are not control characters.
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => write!(self.0, "{}", character.escape_unicode()),
            _ if character.is_control() => write!(self.0, "{}", character.escape_default()),
            _ => self.0.write_char(character),
        })
    }
}

/// Records the metrics of this process; the handle renders them. Once per process.
pub fn start_metrics() -> Result<PrometheusHandle, Error> {
    let recorder = recorder()?;
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(BuildError::from)?;
    describe();
    Ok(handle)
}

/// Keeps the memory of the metrics bounded, until `stopping` is cancelled.
pub async fn keep_metrics(handle: PrometheusHandle, stopping: CancellationToken) {
    while stopping.run_until_cancelled(tokio::time::sleep(HISTOGRAM_UPKEEP_INTERVAL)).await.is_some() {
        handle.run_upkeep();
    }
}

fn recorder() -> Result<PrometheusRecorder, Error> {
    let builder = PrometheusBuilder::new();
    Ok(builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?.build_recorder())
}

fn describe() {
    use metrics::{Unit::Seconds, describe_counter, describe_histogram};
    describe_counter!(HTTP_REQUESTS, "Requests answered.");
    describe_histogram!(HTTP_REQUEST_SECONDS, Seconds, "Time from request to answer.");
    describe_counter!(CONNECTIONS_REFUSED, "Connections that were refused.");
    describe_counter!(ROWS_REFUSED, "Rows that outsiders wanted to create and that were refused.");
    describe_counter!(
        REQUESTS_REFUSED,
        "Requests refused because their address, or all together, had too many in progress or in memory."
    );
    describe_counter!(TOKEN_REQUESTS, "Requests to the token endpoint.");
    describe_counter!(AUDIT_REFUSALS, "Refused token requests, by how the audit log records them.");
    describe_counter!(PLUGIN_CALLS, "Calls of plugins.");
    describe_histogram!(PLUGIN_CALL_SECONDS, Seconds, "Time of a plugin's call.");
    describe_counter!(PLUGIN_RELOADS, "Plugin files that were reloaded.");
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use std::sync::{Arc, Mutex};

    use tracing::{debug, info, info_span};

    use super::*;

    /// The output that `work` logs.
    fn logged(format: LogFormat, filter: &str, work: impl FnOnce()) -> String {
        let log = LogConfig { format, filter: filter.to_owned() };
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = Shared(lines.clone());
        tracing::subscriber::with_default(subscriber(&log, false, move || writer.clone()).unwrap(), work);
        let bytes = lines.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[derive(Clone)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn json_lines_hold_the_fields_of_the_event_and_of_its_span() {
        let text = logged(LogFormat::Json, "info", || {
            info_span!("http.request", request_id = "r-1").in_scope(|| info!(status = 201, "answered"));
        });
        let line: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&line["message"], &line["status"]), (&"answered".into(), &201.into()));
        assert_eq!(line["span"]["request_id"], "r-1");
    }

    #[test]
    fn text_lines_are_plain_where_nobody_watches() {
        let text = logged(LogFormat::Text, "info", || info!(status = 201, "answered"));
        assert!(text.ends_with("answered status=201\n") && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn what_others_send_forges_no_line() {
        let name = "ada\r\n2026-11-22T00:00:00Z ERROR claimsmith: all is lost\u{1b}[2J\u{9b}31m\u{2028}\u{202e}\0";
        let text = logged(LogFormat::Text, "info", || {
            info_span!("http.request", path = %name)
                .in_scope(|| info!(name, shown = %name, debug = ?name, "met {name}"));
        });
        assert!(text.ends_with('\n') && text.lines().count() == 1, "{text:?}");
        let is_plain = |character: char| !character.is_control() && !matches!(character, '\u{2028}'..='\u{202e}');
        assert!(text.trim_end_matches('\n').chars().all(is_plain), "{text:?}");
        assert!(text.contains(r"met ada\r\n2026") && text.contains(r"path=ada\r\n2026"), "{text:?}");
    }

    #[test]
    fn the_filter_decides_what_is_logged() {
        let events = || {
            debug!("quiet");
            info!("loud");
        };
        assert!(!logged(LogFormat::Text, "info", events).contains("quiet"));
        assert!(logged(LogFormat::Text, "warn,claimsmith=debug", events).contains("quiet"));
        assert!(logged(LogFormat::Text, "error", events).is_empty());
    }

    #[test]
    fn a_duration_becomes_a_histogram_with_a_description() {
        let recorder = recorder().unwrap();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            describe();
            metrics::histogram!(PLUGIN_CALL_SECONDS, "plugin" => "roles").record(Duration::from_micros(300));
            metrics::counter!(PLUGIN_CALLS, "plugin" => "roles", "outcome" => "ok").increment(1);
        });
        let text = handle.render();
        for line in [
            "# HELP claimsmith_plugin_call_seconds Time of a plugin's call.",
            "claimsmith_plugin_call_seconds_bucket{plugin=\"roles\",le=\"0.00025\"} 0",
            "claimsmith_plugin_call_seconds_bucket{plugin=\"roles\",le=\"0.0005\"} 1",
            "claimsmith_plugin_calls_total{plugin=\"roles\",outcome=\"ok\"} 1",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line} is not in\n{text}");
        }
    }
}
