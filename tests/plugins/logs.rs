//! Log lines and metrics of plugins: attributed to the plugin, and without secrets.

use crate::support::Server;
use claimsmith_services::plugins::PluginsOptions;
use metrics_exporter_prometheus::PrometheusBuilder;
use std::{
    io,
    sync::{Arc, Mutex},
};
use tokio::sync::mpsc;

#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl io::Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Captured {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

const TELLS: &str = r#"
export const getCustomJwtClaims = ({ environmentVariables: { KEY } }) => {
  console.log("one\nINFO forged", KEY);
  console.error({ key: KEY });
  throw new Error(`bad key ${KEY}`);
};
"#;

#[tokio::test]
async fn lines_are_marked_escaped_and_masked() {
    let captured = Captured::default();
    let writer = captured.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    // For the whole process, since what is logged on other threads decides whether it is looked at here.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let manifest = "on_error = \"skip\"\n[secrets]\nKEY = { file = \"key\" }\n";
    let server = Server::with(&[("teller.js", TELLS), ("teller.toml", manifest), ("key", "hunter\"2\n")]).await;
    server.exchange().await.unwrap();

    let text = captured.text();
    let lines: Vec<_> = text.lines().filter(|line| line.contains("plugin=\"teller\"")).collect();
    let told = |part: &str| assert!(lines.iter().any(|line| line.contains(part)), "{part:?} is missing in {lines:#?}");
    told(" INFO claimsmith::plugin: one\\nINFO forged *** plugin=\"teller\" request_id=\"request-1\"");
    told("ERROR claimsmith::plugin: {\"key\":\"***\"} plugin=");
    told("bad key ***\\n");
    assert!(!text.contains("hunter"), "{lines:#?}");
}

#[tokio::test]
async fn a_flood_is_cut_and_dropped_lines_are_counted() {
    let (kept, mut lines) = mpsc::channel(1 << 16);
    let floods =
        "export const getCustomJwtClaims = () => { for (let n = 0; n < 5000; n += 1) console.log(''); return {}; };";
    let sources = [("flood.js", floods)];
    let server = Server::with_options(&sources, |options| PluginsOptions { log: Some(kept), ..options });
    let server = server.await;
    server.exchange().await.unwrap();
    let of_one_call = std::iter::from_fn(|| lines.try_recv().ok()).count();
    assert!(of_one_call < 1100, "{of_one_call} lines of nothing");
    let dropped = loop {
        server.exchange().await.unwrap();
        let mut told = std::iter::from_fn(|| lines.try_recv().ok()).map(|line| line.message);
        if let Some(line) = told.find(|message| message.contains("were dropped")) {
            break line;
        }
    };
    assert!(dropped.ends_with("lines before this one were dropped: a plugin may write 64 KiB a second"), "{dropped}");
}

#[tokio::test]
async fn calls_and_reloads_are_counted() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let ok = "export const getCustomJwtClaims = () => ({});";
    let server = Server::with(&[("a.js", ok), ("b.js", TELLS), ("b.toml", "on_error = \"skip\"\n")]).await;
    server.exchange().await.unwrap();
    server.exchange().await.unwrap();
    server.write("a.js", "export const (");
    server.until_plugin("a", "the error", |status| status.last_error.is_some()).await;

    let text = metrics.render();
    for line in [
        "claimsmith_plugin_calls_total{plugin=\"a\",outcome=\"ok\"} 2\n",
        "claimsmith_plugin_calls_total{plugin=\"b\",outcome=\"failed\"} 2\n",
        "claimsmith_plugin_call_seconds_count{plugin=\"a\"} 2\n",
        "claimsmith_plugin_reloads_total{result=\"accepted\"} 2\n",
        "claimsmith_plugin_reloads_total{result=\"refused\"} 1\n",
        "claimsmith_plugins_active 2\n",
    ] {
        assert!(text.contains(line), "{line:?} is missing in:\n{text}");
    }
}
