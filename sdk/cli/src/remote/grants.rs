//! `claimsmith plugin grant` and `withdraw`: to which servers an uploaded plugin may send HTTP requests. It needs both
//! the declaration in its settings and the grant.

use super::{GRANT, Remote, Usage, view};
use crate::terminal::print_line;
use reqwest::{Method, header};
use serde_json::{Map, Value, json};

/// JSON pointers of what a plugin declares, and of what was granted.
const DECLARED: &str = "/deployment/http/declared";
const GRANTED: &str = "/deployment/http/granted";

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["hosts", "declared"])))]
pub(crate) struct GrantArgs {
    /// The plugin's name.
    name: String,
    /// The servers, such as api.example.com or *.example.com:8443. They replace what was granted before
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Grant all that the plugin declares: `plugin show` says what
    #[arg(long)]
    declared: bool,
    /// The methods [default: GET]
    #[arg(long = "method", value_name = "METHOD", value_delimiter = ',', conflicts_with = "declared")]
    methods: Vec<String>,
    /// Requests of one call of the plugin [default: 4]
    #[arg(long, value_name = "COUNT", conflicts_with = "declared")]
    calls: Option<u32>,
    /// KiB of all requests and answers of one call together [default: 256]
    #[arg(long, value_name = "KIB", conflicts_with = "declared")]
    kib: Option<u32>,
    /// Milliseconds that one request may take [default: 500]
    #[arg(long, value_name = "MS", conflicts_with = "declared")]
    ms: Option<u32>,
}

impl GrantArgs {
    /// The body; the server sets defaults for what is not named.
    fn body(&self) -> Value {
        let mut body = Map::from_iter([("hosts".to_owned(), json!(self.hosts))]);
        if !self.methods.is_empty() {
            body.insert("methods".to_owned(), json!(self.methods));
        }
        for (name, bound) in [("calls", self.calls), ("kib", self.kib), ("ms", self.ms)] {
            if let Some(bound) = bound {
                body.insert(name.to_owned(), json!(bound));
            }
        }
        Value::Object(body)
    }
}

pub(crate) async fn grant(remote: &Remote, args: &GrantArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    let (body, seen) = if args.declared {
        // If-Match makes sure that what is granted is what was read.
        let answer = remote.get(&[name]).await?;
        let declared = answer.json()?.pointer(DECLARED).filter(|http| http.is_object()).cloned();
        let declared = declared.ok_or_else(|| {
            Usage::new(format!("{name} declares no servers in [capabilities.http]: name the hosts to grant"))
        })?;
        (declared, answer.etag)
    } else {
        (args.body(), None)
    };
    let mut request = remote.request(Method::PUT, &[name, "grants", "http"])?.json(&body);
    if let Some(seen) = seen {
        request = request.header(header::IF_MATCH, seen);
    }
    let answer = remote.ask(GRANT, request).await?;
    if remote.json {
        print_line(&answer.text);
        return Ok(());
    }
    let plugin = answer.json()?;
    let text = |pointer| view::text(&plugin, pointer);
    print_line(&format!("{name}\n  declared   {}\n  granted    {}", text(DECLARED), text(GRANTED)));
    Ok(())
}

pub(crate) async fn withdraw(remote: &Remote, name: &str) -> anyhow::Result<()> {
    remote.ask(GRANT, remote.request(Method::DELETE, &[name, "grants", "http"])?).await?;
    if !remote.json {
        print_line(&format!("{name} may send no HTTP requests"));
    }
    Ok(())
}
