//! Hostile receivers: real sockets whose answers keep a connection, grow without end, or are no HTTP. What each says is
//! written in bytes; those of HTTP/2 are in `receiver_http2`.

use crate::receiver_http2;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// Between the bytes of those who say one at a time.
const PAUSE: Duration = Duration::from_millis(5);
/// Bytes that are said at a time by those who never end.
const PIECE: usize = 64 << 10;

/// What an attempt to deliver to a receiver comes to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// It is a success: the status says so, whatever else was said.
    Delivered,
    /// It fails once the time of an attempt is over.
    TimesOut,
    /// One or the other: how much of it can be read in the time of an attempt depends on the machine.
    DeliveredOrTimesOut,
    /// It fails, and the reason begins so.
    Fails(&'static str),
    /// It fails, and the reason begins so, or its time is over before: over HTTP/2 the attempts of one connection end
    /// with it, and a receiver that ends but one of them lets the others wait.
    FailsOrTimesOut(&'static str),
    /// It is a success, its time is over, or it fails, and the reason begins so: over HTTP/2 the attempts share a
    /// connection, and only the first of them gets an answer before the connection ends.
    DeliveredFailsOrTimesOut(&'static str),
}

/// A receiver, before it listens.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    /// How many hooks lead to it.
    pub(crate) hooks: usize,
    /// Events that wait for each of these hooks and are told at once.
    pub(crate) backlog: usize,
    /// Whether its first answer puts off everything else that its hook is to tell.
    pub(crate) holds: bool,
    /// Left to the long run.
    pub(crate) slow: bool,
    protocol: Protocol,
}

/// What it does with each connection.
#[derive(Clone)]
enum Protocol {
    Http1(Script),
    Http2(receiver_http2::Script),
}

#[derive(Clone)]
struct Script {
    /// Whether it reads the request.
    reads: bool,
    says: Vec<u8>,
    /// Said again and again.
    repeats: Vec<u8>,
    pause: Option<Duration>,
    ends: End,
}

#[derive(Clone, Copy)]
enum End {
    Closes,
    Resets,
    /// Keeps the connection until the client closes it.
    Waits,
}

impl Hostile {
    fn new(name: &'static str, outcome: Outcome, says: impl AsRef<[u8]>) -> Self {
        let says = says.as_ref().to_vec();
        let script = Script { reads: true, says, repeats: Vec::new(), pause: None, ends: End::Waits };
        Self::of(name, outcome, Protocol::Http1(script))
    }

    fn of(name: &'static str, outcome: Outcome, protocol: Protocol) -> Self {
        Self { name, outcome, hooks: 1, backlog: 0, holds: false, slow: false, protocol }
    }

    fn changed(mut self, change: impl FnOnce(&mut Script)) -> Self {
        let Protocol::Http1(script) = &mut self.protocol else { panic!("{} speaks HTTP/2", self.name) };
        change(script);
        self
    }

    fn repeats(self, text: impl AsRef<[u8]>) -> Self {
        self.changed(|script| script.repeats = text.as_ref().to_vec())
    }

    fn slowly(self) -> Self {
        self.changed(|script| script.pause = Some(PAUSE))
    }

    fn ends(self, ends: End) -> Self {
        self.changed(|script| script.ends = ends)
    }

    fn without_reading(self) -> Self {
        self.changed(|script| script.reads = false)
    }

    /// Listens until the answer is dropped.
    pub(crate) async fn listen(&self) -> Listening {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let protocol = self.protocol.clone();
        let scheme = if matches!(protocol, Protocol::Http1(_)) { "http" } else { "https" };
        let url = format!("{scheme}://{}/hook", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (connection, _) = listener.accept().await.unwrap();
                connections.spawn(protocol.clone().meet(connection));
                while connections.try_join_next().is_some() {}
            }
        });
        Listening { url, task }
    }

    /// All of them. Those that redirect do so to `inside`.
    pub(crate) fn all(inside: &str) -> Vec<Self> {
        let mut all = silent();
        all.extend(endless());
        all.extend(malformed());
        all.extend(misleading(inside));
        for (name, outcome, slow, script) in receiver_http2::all() {
            all.push(Self { slow, ..Self::of(name, outcome, Protocol::Http2(script)) });
        }
        all
    }
}

impl Protocol {
    async fn meet(self, connection: TcpStream) {
        match self {
            Self::Http1(script) => script.meet(connection).await,
            Self::Http2(script) => script.meet(connection).await,
        }
    }
}

impl Script {
    /// Whoever is left by the client has nothing more to do.
    async fn meet(self, mut connection: TcpStream) {
        if self.reads && read_request(&mut connection).await.is_none() {
            return;
        }
        if connection.write_all(&self.says).await.is_err() {
            return;
        }
        while !self.repeats.is_empty() {
            if connection.write_all(&self.repeats).await.is_err() {
                return;
            }
            match self.pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => tokio::task::yield_now().await,
            }
        }
        match self.ends {
            End::Closes => {}
            End::Resets => connection.set_zero_linger().unwrap(),
            End::Waits if self.reads => while let Ok(1..) = connection.read(&mut [0; 4096]).await {},
            // Nothing is read, so nothing tells that the client has gone.
            End::Waits => std::future::pending().await,
        }
    }
}

/// Reads a request with its body: who closes with something unread resets the connection.
async fn read_request(connection: &mut TcpStream) -> Option<()> {
    let mut read = Vec::new();
    let head = loop {
        read.push(connection.read_u8().await.ok()?);
        if read.ends_with(b"\r\n\r\n") {
            break String::from_utf8_lossy(&read).to_ascii_lowercase();
        }
    };
    let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
    connection.read_exact(&mut vec![0; length]).await.ok()?;
    Some(())
}

/// A receiver at work.
pub(crate) struct Listening {
    pub(crate) url: String,
    task: JoinHandle<()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

use Outcome::{Delivered, DeliveredOrTimesOut, Fails, TimesOut};

const BROKEN: Outcome = Fails("the exchange with 127.0.0.1 failed");
const INTERIM: Outcome = Fails("the exchange with 127.0.0.1 failed: more than 16 interim responses (1xx)");

/// Those who let an attempt wait.
fn silent() -> Vec<Hostile> {
    vec![
        Hostile::new("never-answers", TimesOut, ""),
        Hostile::new("never-reads", TimesOut, "").without_reading(),
        Hostile { hooks: 3, backlog: 95, slow: true, ..Hostile::new("never-answers-three-hundred", TimesOut, "") },
        Hostile::new("head-byte-by-byte", TimesOut, "HTTP/1.1 200 OK\r\nx-slow: ").repeats("a").slowly(),
        Hostile::new("body-byte-by-byte", TimesOut, "HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n")
            .repeats("b")
            .slowly(),
        Hostile::new("body-that-stops", TimesOut, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"),
        Hostile::new("closes-at-once", BROKEN, "").without_reading().ends(End::Closes),
        Hostile::new("closes-after-the-request", BROKEN, "").ends(End::Closes),
        Hostile::new("resets", BROKEN, "").ends(End::Resets),
        Hostile::new("resets-within-the-body", BROKEN, "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc")
            .ends(End::Resets),
    ]
}

/// Those who never stop.
fn endless() -> Vec<Hostile> {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("{PIECE:x}\r\n{}\r\n", "x".repeat(PIECE));
    vec![
        Hostile::new("body-endless", Delivered, "HTTP/1.1 200 OK\r\n\r\n").repeats("x".repeat(PIECE)),
        Hostile::new("body-endless-failing", Fails("the receiver answered 500"), "HTTP/1.1 500 Oops\r\n\r\n")
            .repeats("x".repeat(PIECE)),
        Hostile::new("chunks-endless", Delivered, chunked).repeats(chunk),
        Hostile::new("chunks-of-one-byte", DeliveredOrTimesOut, chunked).repeats("1\r\nx\r\n".repeat(1000)),
        Hostile::new("chunk-extension-endless", BROKEN, format!("{chunked}1;")).repeats("a".repeat(PIECE)),
        Hostile::new("trailers-endless", BROKEN, format!("{chunked}1\r\nx\r\n0\r\n")).repeats("x: y\r\n".repeat(1000)),
        Hostile::new("header-endless", BROKEN, "HTTP/1.1 200 OK\r\nx: ").repeats("a".repeat(PIECE)),
        Hostile::new("header-name-endless", BROKEN, "HTTP/1.1 200 OK\r\n").repeats("a".repeat(PIECE)),
        Hostile::new("reason-endless", BROKEN, "HTTP/1.1 200 ").repeats("a".repeat(PIECE)),
        Hostile::new("headers-endless", BROKEN, "HTTP/1.1 200 OK\r\n").repeats("x: y\r\n".repeat(1000)),
        Hostile::new("headers-ten-thousand", BROKEN, format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(10_000))),
        Hostile::new(
            "headers-large",
            Fails("the exchange with 127.0.0.1 failed: message head is too large"),
            format!("HTTP/1.1 200 OK\r\n{}\r\n", format!("x: {}\r\n", "y".repeat(4000)).repeat(90)),
        ),
        Hostile::new("continues-endless", INTERIM, "").repeats("HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
        Hostile::new("hints-endless", INTERIM, "")
            .repeats(format!("HTTP/1.1 103 Early Hints\r\nlink: </{}>\r\n\r\n", "a".repeat(4000))),
        Hostile::new("empty-lines-endless", BROKEN, "").repeats("\r\n".repeat(1000)),
    ]
}

/// Those who speak no HTTP, or say two things at once.
fn malformed() -> Vec<Hostile> {
    [
        ("status-of-letters", BROKEN, "HTTP/1.1 abc OK\r\n\r\n"),
        ("status-of-four-digits", BROKEN, "HTTP/1.1 2000 OK\r\n\r\n"),
        ("status-999", Fails("the receiver answered 999"), "HTTP/1.1 999 Hm\r\ncontent-length: 0\r\n\r\n"),
        ("switches-protocols", Fails("the receiver answered 101"), "HTTP/1.1 101 Go\r\nconnection: upgrade\r\n\r\n"),
        ("another-protocol", BROKEN, "SSH-2.0-OpenSSH_9.9\r\n"),
        ("http-2", BROKEN, "\0\0\0\x04\0\0\0\0\0\0\0\0\x04\x01\0\0\0\0"),
        ("length-of-letters", BROKEN, "HTTP/1.1 200 OK\r\ncontent-length: ten\r\n\r\n"),
        ("length-negative", BROKEN, "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"),
        ("length-too-long", BROKEN, "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n"),
        ("lengths-that-differ", BROKEN, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc"),
        (
            "chunk-size-too-long",
            BROKEN,
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffffffff\r\n",
        ),
        ("header-with-nul", BROKEN, "HTTP/1.1 200 OK\r\nx: \0\r\n\r\n"),
        ("header-without-name", BROKEN, "HTTP/1.1 200 OK\r\n: x\r\n\r\n"),
        (
            "body-of-control-characters",
            Delivered,
            "HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n\0\x1b[2J\x07\r\n\u{202e}\u{feff}",
        ),
    ]
    .into_iter()
    .map(|(name, outcome, says)| Hostile::new(name, outcome, says).ends(End::Closes))
    .collect()
}

/// Those who want more of the server than a delivery.
fn misleading(inside: &str) -> Vec<Hostile> {
    let redirects = [
        ("redirects-301", 301, "the receiver answered 301"),
        ("redirects-302", 302, "the receiver answered 302"),
        ("redirects-303", 303, "the receiver answered 303"),
        ("redirects-307", 307, "the receiver answered 307"),
        ("redirects-308", 308, "the receiver answered 308"),
    ];
    let redirects = redirects.into_iter().map(|(name, status, error)| {
        let says = format!("HTTP/1.1 {status} There\r\nlocation: {inside}\r\ncontent-length: 0\r\n\r\n");
        Hostile::new(name, Fails(error), says).ends(End::Closes)
    });
    let file = "HTTP/1.1 302 There\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n";
    let bomb = bomb();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n", bomb.len());
    let others = [
        Hostile::new("redirects-to-a-file", Fails("the receiver answered 302"), file).ends(End::Closes),
        Hostile::new("gzip-bomb", Delivered, [head.into_bytes(), bomb].concat()).ends(End::Closes),
        Hostile {
            holds: true,
            ..Hostile::new(
                "asks-to-wait-for-ever",
                Fails("the receiver answered 503"),
                "HTTP/1.1 503 Later\r\nretry-after: 99999999999999999999999999\r\ncontent-length: 0\r\n\r\n",
            )
            .ends(End::Closes)
        },
        Hostile::new(
            "asks-for-a-password",
            Fails("the receiver answered 401"),
            "HTTP/1.1 401 Who\r\nwww-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n",
        )
        .ends(End::Closes),
        // The second answer would be that of the next delivery, and disable the hook.
        Hostile::new(
            "answers-twice",
            Delivered,
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
        ),
    ];
    redirects.chain(others).collect()
}

/// Zeros that unfold to 150 times as many bytes, some 64 MiB, as `gzip` (RFC 1952) around one block of fixed codes
/// (RFC 1951): a zero, and then only "the last byte 258 times more".
fn bomb() -> Vec<u8> {
    const TIMES: usize = 1 << 18;
    let mut bits = vec![true, true, false];
    bits.extend([false, false, true, true, false, false, false, false]);
    for _ in 0..TIMES {
        bits.extend([true, true, false, false, false, true, false, true, false, false, false, false, false]);
    }
    bits.extend([false; 7]);
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    bytes.extend(bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))));
    bytes
}
