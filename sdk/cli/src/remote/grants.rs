//! `claimsmith plugin grant` and `withdraw`: to which servers an uploaded plugin may send HTTP requests, and what it may
//! keep between its calls. Each needs both the declaration in its settings and the grant.

use super::{GRANT, Remote, Usage, view};
use crate::terminal::print_line;
use reqwest::{Method, header};
use serde_json::{Map, Value, json};

/// JSON pointers of what a plugin declares, and of what was granted.
const DECLARED: &str = "/deployment/http/declared";
const GRANTED: &str = "/deployment/http/granted";
const DECLARED_CACHE: &str = "/deployment/cache/declared";
const GRANTED_CACHE: &str = "/deployment/cache/granted";

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(group(clap::ArgGroup::new("what").required(true).args(["hosts", "declared", "cache"])))]
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
    /// Requests over http, too, which anybody on the way can read and change
    #[arg(long, requires = "hosts")]
    plain: bool,
    /// Entries in a cache, in place of servers
    #[arg(long)]
    cache: bool,
    /// Entries of the cache on each node [default: 1000]
    #[arg(long, value_name = "COUNT", requires = "cache")]
    entries: Option<u32>,
    /// KiB of the cache on each node [default: 1024]
    #[arg(long, value_name = "KIB", requires = "cache")]
    cache_kib: Option<u32>,
    /// Entries that the calls of all users and applications share
    #[arg(long, requires = "cache")]
    everybody: bool,
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
        if self.plain {
            body.insert("plain".to_owned(), json!(true));
        }
        Value::Object(body)
    }

    /// That of a cache.
    fn cache_body(&self) -> Value {
        let mut body = Map::from_iter([("everybody".to_owned(), json!(self.everybody))]);
        for (name, bound) in [("entries", self.entries), ("kib", self.cache_kib)] {
            if let Some(bound) = bound {
                body.insert(name.to_owned(), json!(bound));
            }
        }
        Value::Object(body)
    }
}

/// Which grant a body is.
type Grant = (&'static str, Value);

/// What the plugin declares, to be granted as it is. Headers with secrets are no part of a grant.
fn declared(name: &str, plugin: &Value) -> Result<Vec<Grant>, Usage> {
    let found = |pointer: &str| plugin.pointer(pointer).filter(|declared| declared.is_object()).cloned();
    let mut http = found(DECLARED);
    if let Some(members) = http.as_mut().and_then(Value::as_object_mut) {
        members.remove("headers");
    }
    let grants = http.map(|http| ("http", http)).into_iter();
    let grants: Vec<Grant> = grants.chain(found(DECLARED_CACHE).map(|cache| ("cache", cache))).collect();
    if grants.is_empty() {
        let text = format!("{name} declares no servers and no cache in [capabilities]: name what to grant");
        return Err(Usage::new(text));
    }
    Ok(grants)
}

pub(crate) async fn grant(remote: &Remote, args: &GrantArgs) -> anyhow::Result<()> {
    let name = args.name.as_str();
    let (grants, mut seen) = if args.declared {
        // If-Match makes sure that what is granted is what was read.
        let answer = remote.get(&[name]).await?;
        (declared(name, &answer.json()?)?, answer.etag)
    } else if args.cache {
        (vec![("cache", args.cache_body())], None)
    } else {
        (vec![("http", args.body())], None)
    };
    for (index, (what, body)) in grants.iter().enumerate() {
        let mut request = remote.request(Method::PUT, &[name, "grants", *what])?.json(body);
        if let Some(seen) = &seen {
            request = request.header(header::IF_MATCH, seen.as_str());
        }
        let answer = remote.ask(GRANT, request).await?;
        if index + 1 < grants.len() {
            seen = seen.and(answer.etag);
            continue;
        }
        if remote.json {
            print_line(&answer.text);
            return Ok(());
        }
        let plugin = answer.json()?;
        let text = |pointer| view::text(&plugin, pointer);
        print_line(&format!("{name}\n  declared   {}\n  granted    {}", text(DECLARED), text(GRANTED)));
        if plugin.pointer(DECLARED_CACHE).or(plugin.pointer(GRANTED_CACHE)).is_some_and(Value::is_object) {
            let (declared, granted) = (text(DECLARED_CACHE), text(GRANTED_CACHE));
            print_line(&format!("  cache      declared {declared}; granted {granted}"));
        }
    }
    Ok(())
}

pub(crate) async fn withdraw(remote: &Remote, name: &str, cache: bool) -> anyhow::Result<()> {
    let (what, text) = if cache { ("cache", "keep nothing") } else { ("http", "send no HTTP requests") };
    remote.ask(GRANT, remote.request(Method::DELETE, &[name, "grants", what])?).await?;
    if !remote.json {
        print_line(&format!("{name} may {text}"));
    }
    Ok(())
}
