//! A mail relay: a real SMTP server (RFC 5321) that records what it takes, with or without TLS, and says what the test
//! wants it to.

use crate::until;
use data_encoding::BASE64;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// How a relay encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Not at all.
    None,
    /// When it is asked to.
    StartTls,
    /// From the start.
    Implicit,
}

/// What a relay does in place of what it should.
#[derive(Clone, Debug)]
pub enum RelayReply {
    /// It says these lines.
    Say(String),
    /// It says nothing more.
    Hang,
    /// It hangs up.
    Close,
    /// It talks without end, and without an end of the line.
    Babble,
}

/// An e-mail that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Who sent it, as the envelope says.
    pub from: String,
    /// Who gets it, as the envelope says.
    pub to: Vec<String>,
    /// Headers and text.
    pub data: String,
    /// Whether it came encrypted.
    pub is_encrypted: bool,
    /// Who signed in: name and password.
    pub user: Option<(String, String)>,
}

impl Mail {
    /// The value of a header, without line breaks; empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> String {
        let head = self.data.split("\r\n\r\n").next().unwrap_or_default().replace("\r\n ", " ");
        let value = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned));
        value.unwrap_or_default()
    }
}

type Script = dyn Fn(usize, &str) -> Option<RelayReply> + Send + Sync;

struct RelayState {
    security: Security,
    script: Box<Script>,
    acceptor: TlsAcceptor,
    mails: Mutex<Vec<Mail>>,
    connections: AtomicUsize,
}

/// The relay. It stops when this value is dropped.
pub struct MailRelay {
    address: SocketAddr,
    certificate: String,
    shared: Arc<RelayState>,
    task: JoinHandle<()>,
}

impl MailRelay {
    /// One that takes everything.
    pub async fn start(security: Security) -> Self {
        Self::answering(security, |_, _| None).await
    }

    /// One that says what `script` does: it is asked with the number of the connection, from 0, and each command: `""`
    /// for the greeting, and `.` for the end of an e-mail. `None` is what a relay should say.
    pub async fn answering(
        security: Security,
        script: impl Fn(usize, &str) -> Option<RelayReply> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::listening(listener, security, script)
    }

    /// The same at an address where another one was.
    pub async fn at(address: SocketAddr, security: Security) -> Self {
        let listener = until("the address of the relay", async || TcpListener::bind(address).await.ok()).await;
        Self::listening(listener, security, |_, _| None)
    }

    fn listening(
        listener: TcpListener,
        security: Security,
        script: impl Fn(usize, &str) -> Option<RelayReply> + Send + Sync + 'static,
    ) -> Self {
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
        let shared = Arc::new(RelayState {
            security,
            script: Box::new(script),
            acceptor: TlsAcceptor::from(Arc::new(config)),
            mails: Mutex::default(),
            connections: AtomicUsize::new(0),
        });
        let address = listener.local_addr().unwrap();
        let served = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let number = served.connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(Arc::clone(&served), number, stream));
            }
        });
        Self { address, certificate: cert.pem(), shared, task }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its certificate, PEM, which is of no authority.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// How many connections there were.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// What it took until now.
    #[must_use]
    pub fn mails(&self) -> Vec<Mail> {
        self.shared.mails.lock().unwrap().clone()
    }

    /// Waits until it took so many.
    pub async fn wait(&self, count: usize) -> Vec<Mail> {
        until(&format!("{count} e-mails"), async || Some(self.mails()).filter(|mails| mails.len() >= count)).await
    }
}

impl Drop for MailRelay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// How a conversation goes on.
enum Next<S> {
    Over,
    Upgrade(S),
}

async fn serve(shared: Arc<RelayState>, number: usize, stream: TcpStream) {
    if shared.security == Security::Implicit {
        // A client that does not like the certificate hangs up.
        let Ok(stream) = shared.acceptor.accept(stream).await else { return };
        talk(&shared, number, stream, true, true).await;
        return;
    }
    if let Next::Upgrade(stream) = talk(&shared, number, stream, false, true).await
        && let Ok(stream) = shared.acceptor.accept(stream).await
    {
        talk(&shared, number, stream, true, false).await;
    }
}

/// One conversation, until it is over or is to be encrypted.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(
    shared: &RelayState,
    number: usize,
    stream: S,
    is_encrypted: bool,
    greets: bool,
) -> Next<S> {
    let mut stream = BufReader::new(stream);
    let mut mail = Mail { from: String::new(), to: Vec::new(), data: String::new(), is_encrypted, user: None };
    let mut command = if greets { Some(String::new()) } else { read_line(&mut stream).await };
    while let Some(line) = command {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let said = match (shared.script)(number, &line) {
            Some(RelayReply::Say(text)) => text,
            Some(RelayReply::Hang) => std::future::pending().await,
            Some(RelayReply::Close) => return Next::Over,
            Some(RelayReply::Babble) => {
                while stream.write_all(&[b'2'; 4096]).await.is_ok() {}
                return Next::Over;
            }
            None => usual(shared, &verb, is_encrypted),
        };
        if stream.write_all(format!("{said}\r\n").as_bytes()).await.is_err() || stream.flush().await.is_err() {
            return Next::Over;
        }
        let is_good = said.starts_with(['2', '3']);
        match verb.as_str() {
            "STARTTLS" if is_good => return Next::Upgrade(stream.into_inner()),
            "AUTH" => mail.user = credentials(&line),
            "MAIL" => mail.from = address(&line),
            "RCPT" if is_good => mail.to.push(address(&line)),
            "DATA" if is_good => {
                let Some(data) = read_data(&mut stream).await else { return Next::Over };
                mail.data = data;
                command = Some(".".to_owned());
                continue;
            }
            "." if is_good => shared.mails.lock().unwrap().push(mail.clone()),
            "QUIT" => return Next::Over,
            _ => {}
        }
        command = read_line(&mut stream).await;
    }
    Next::Over
}

fn usual(shared: &RelayState, verb: &str, is_encrypted: bool) -> String {
    match verb {
        "" => "220 relay.test ready".to_owned(),
        "EHLO" => {
            let start_tls =
                if shared.security == Security::StartTls && !is_encrypted { "250-STARTTLS\r\n" } else { "" };
            format!("250-relay.test\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n{start_tls}250 SMTPUTF8")
        }
        "STARTTLS" => "220 go ahead".to_owned(),
        "AUTH" => "235 welcome".to_owned(),
        "DATA" => "354 go ahead".to_owned(),
        "QUIT" => "221 bye".to_owned(),
        _ => "250 fine".to_owned(),
    }
}

async fn read_line(stream: &mut (impl AsyncBufReadExt + Unpin)) -> Option<String> {
    let mut line = String::new();
    let bytes = stream.read_line(&mut line).await.ok()?;
    (bytes > 0).then(|| line.trim_end().to_owned())
}

/// The lines until a dot.
async fn read_data(stream: &mut (impl AsyncBufReadExt + Unpin)) -> Option<String> {
    let mut data = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        if line == ".\r\n" {
            return Some(data);
        }
        data.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}

/// What stands between the angle brackets.
fn address(line: &str) -> String {
    let rest = line.split_once('<').map_or("", |(_, rest)| rest);
    rest.split_once('>').map_or("", |(address, _)| address).to_owned()
}

/// Of `AUTH PLAIN`.
fn credentials(line: &str) -> Option<(String, String)> {
    let bytes = BASE64.decode(line.strip_prefix("AUTH PLAIN ")?.as_bytes()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.split('\0').skip(1);
    Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
}
