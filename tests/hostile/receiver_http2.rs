//! What hostile receivers say over HTTP/2 (RFC 9113): frames without end, written in bytes and sent over TLS. Limits of
//! the messages of HTTP/1.1 do not apply to them.

use crate::receiver::Outcome;
use claimsmith_test_support::Home;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::sync::{Arc, LazyLock};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, copy, sink, split};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Types of frames (RFC 9113 section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;
/// No type of any standard: whoever receives such a frame ignores it.
const UNKNOWN: u8 = 0xee;

/// Flags: of SETTINGS, and of HEADERS.
const ACK: u8 = 1;
const END_HEADERS: u8 = 4;

/// Bytes of the head of a frame, and of what a client says before its first one.
const HEAD: usize = 9;
const PREFACE: usize = 24;

/// Header fields as bytes (RFC 7541 section 6.1 and appendix A): `:status: 200` of the static table, and the two newest
/// entries of the dynamic one.
const STATUS_200: u8 = 0x88;
const NEWEST: u8 = 0xbe;
const SECOND: u8 = 0xbf;
/// `:method: GET`, `:scheme: https` and `:path: /`.
const GET: [u8; 3] = [0x82, 0x87, 0x84];

/// Frames that are sent at a time by those who never end.
const FRAMES: usize = 1000;

/// The certificate of all these receivers as PEM, and what its key is for.
static CERTIFICATE: LazyLock<(String, TlsAcceptor)> = LazyLock::new(|| {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let mut config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    (cert.pem(), TlsAcceptor::from(Arc::new(config)))
});

/// Writes the certificate to a home, for `SSL_CERT_FILE` of its server; the path of the file.
pub(crate) fn certificate(home: &Home) -> String {
    let path = home.folder().join("receivers.pem");
    std::fs::write(&path, &CERTIFICATE.0).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What a receiver does with each connection, once it was asked for something.
#[derive(Clone)]
pub(crate) struct Script {
    /// Whether it reads what else the client says.
    reads: bool,
    says: Vec<u8>,
    /// Said again and again.
    repeats: Vec<u8>,
}

impl Script {
    /// Whoever is left by the client has nothing more to do.
    pub(crate) async fn meet(self, connection: TcpStream) {
        let Ok(connection) = CERTIFICATE.1.accept(connection).await else { return };
        let (mut read, mut write) = split(connection);
        let asked = async {
            read.read_exact(&mut [0; PREFACE]).await.ok()?;
            loop {
                match read_frame(&mut read).await? {
                    (HEADERS, _) => return Some(()),
                    (SETTINGS, 0) => {
                        let settings = [frame(SETTINGS, 0, 0, &[]), frame(SETTINGS, ACK, 0, &[])].concat();
                        write.write_all(&settings).await.ok()?;
                        write.flush().await.ok()?;
                    }
                    _ => {}
                }
            }
        };
        if asked.await.is_none() {
            return;
        }
        let listens = async {
            if self.reads {
                let _ = copy(&mut read, &mut sink()).await;
            } else {
                std::future::pending::<()>().await;
            }
        };
        let speaks = async {
            let mut said = write.write_all(&self.says).await.and(write.flush().await);
            while said.is_ok() && !self.repeats.is_empty() {
                said = write.write_all(&self.repeats).await;
                tokio::task::yield_now().await;
            }
            if said.is_ok() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = listens => {}
            () = speaks => {}
        }
    }
}

/// The type and the flags of the next frame. Its payload is of no interest.
async fn read_frame(from: &mut (impl AsyncRead + Unpin)) -> Option<(u8, u8)> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head).await.ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    copy(&mut from.take(length.into()), &mut sink()).await.ok()?;
    Some((head[3], head[4]))
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A frame on the stream of the first request.
fn headers(fields: &[u8]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS, 1, fields)
}

/// A text of a header field: its length as an integer with a prefix of seven bits, and its bytes.
fn text(text: &str) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(text.len().min(0x7f)).unwrap()];
    if let Some(mut rest) = text.len().checked_sub(0x7f) {
        while rest >= 0x80 {
            bytes.push(u8::try_from(rest % 0x80).unwrap() | 0x80);
            rest /= 0x80;
        }
        bytes.push(u8::try_from(rest).unwrap());
    }
    bytes.extend(text.as_bytes());
    bytes
}

/// The field `:status`, which becomes the newest entry of the dynamic table.
fn status(code: &str) -> Vec<u8> {
    [vec![0x48], text(code)].concat()
}

/// The same for a field of any name.
fn field(name: &str, value: &str) -> Vec<u8> {
    [vec![0x40], text(name), text(value)].concat()
}

use Outcome::{DeliveredFailsOrTimesOut, Fails, FailsOrTimesOut};

const REASON: &str = "the exchange with 127.0.0.1 failed";
const BROKEN: Outcome = Fails(REASON);
const BROKEN_OR_LATE: Outcome = FailsOrTimesOut(REASON);
const ANY: Outcome = DeliveredFailsOrTimesOut(REASON);

/// A receiver: its name, its outcome, and what it says at first and then without end.
type Receiver = (&'static str, Outcome, Vec<u8>, Vec<u8>);

/// All of them, and whether they are left to the long run.
pub(crate) fn all() -> Vec<(&'static str, Outcome, bool, Script)> {
    let reading = |slow| {
        move |(name, outcome, says, repeats): Receiver| {
            (name, outcome, slow, Script { reads: name != "h2-pings-unread", says, repeats })
        }
    };
    let fast = messages().into_iter().chain(frames()).map(reading(false));
    fast.chain(variations().into_iter().map(reading(true))).collect()
}

/// Those who respond.
fn messages() -> Vec<Receiver> {
    let link = field("link", &"a".repeat(3900));
    let fields = vec![NEWEST; 400];
    let large = [vec![STATUS_200], field("x", &"y".repeat(4000)), vec![NEWEST; 20]].concat();
    vec![
        ("h2-never-answers", BROKEN_OR_LATE, vec![], vec![]),
        ("h2-interim-endless", BROKEN, headers(&status("100")), headers(&[NEWEST]).repeat(FRAMES)),
        // The fields are entries of the dynamic table: few bytes of a frame are many of memory.
        (
            "h2-hints-endless",
            BROKEN,
            headers(&[status("103"), link].concat()),
            headers(&[SECOND, NEWEST]).repeat(FRAMES),
        ),
        (
            "h2-hints-of-many-fields",
            BROKEN_OR_LATE,
            headers(&[status("103"), field("x", "y")].concat()),
            headers(&[vec![SECOND], fields].concat()).repeat(FRAMES / 10),
        ),
        ("h2-headers-large", BROKEN_OR_LATE, headers(&large), vec![]),
        (
            "h2-continuation-endless",
            BROKEN,
            frame(HEADERS, 0, 1, &[STATUS_200]),
            frame(CONTINUATION, 0, 1, &field("x", "y")).repeat(FRAMES),
        ),
        // Flow control is ignored.
        ("h2-data-endless", ANY, headers(&[STATUS_200]), frame(DATA, 0, 1, &[b'x'; 16 << 10]).repeat(4)),
        ("h2-data-empty-endless", BROKEN, headers(&[STATUS_200]), frame(DATA, 0, 1, &[]).repeat(FRAMES)),
    ]
}

/// Those who send frames that no request needs.
fn frames() -> Vec<Receiver> {
    let settings = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0xff, 0xff]);
    let promise = [&2_u32.to_be_bytes()[..], &GET, &[0x41], &text("a")].concat();
    vec![
        ("h2-settings-endless", BROKEN, vec![], settings.repeat(FRAMES)),
        ("h2-pings-endless", BROKEN, vec![], frame(PING, 0, 0, &[7; 8]).repeat(FRAMES)),
        // Not ended by the stream that ends.
        ("h2-resets-endless", BROKEN, vec![], frame(RST_STREAM, 0, 1, &[0, 0, 0, 8]).repeat(FRAMES)),
        ("h2-push-promises-endless", BROKEN, vec![], frame(PUSH_PROMISE, END_HEADERS, 1, &promise).repeat(FRAMES)),
    ]
}

/// Those who differ from another in little.
fn variations() -> Vec<Receiver> {
    vec![
        ("h2-pings-unread", BROKEN_OR_LATE, vec![], frame(PING, 0, 0, &[7; 8]).repeat(FRAMES)),
        ("h2-window-updates-endless", BROKEN, vec![], frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]).repeat(FRAMES)),
        // No stream is given up.
        (
            "h2-goaway-endless",
            BROKEN,
            vec![],
            frame(GOAWAY, 0, 0, &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]).repeat(FRAMES),
        ),
        ("h2-priorities-endless", BROKEN, vec![], frame(PRIORITY, 0, 3, &[0; 5]).repeat(FRAMES)),
        ("h2-frames-of-unknown-type", BROKEN, vec![], frame(UNKNOWN, 0, 0, &[]).repeat(FRAMES)),
        ("h2-frame-that-stops", BROKEN_OR_LATE, frame(DATA, 0, 1, &[b'x'; 16 << 10])[..HEAD].to_vec(), vec![]),
    ]
}
