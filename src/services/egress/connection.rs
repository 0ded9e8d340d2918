//! The connections of the HTTP client, and the limits of one beside its requests and responses: how long a thread reads
//! from it without a break, how many HTTP/2 frames belong to no request, and how long the server may read nothing.

use super::guard::Guard;
use hyper::Uri;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tower_service::Service;

/// Bytes that are read from a connection before other tasks of the thread run. A frame may have nine bytes, and the
/// library parses all that it can read: tens of thousands of them, each kept in memory until the task that waits for
/// the response sees it.
const READ_AT_ONCE: usize = 16 * 1024;

/// The maximum credit of frames other than DATA for the server of an HTTP/2 connection, and the credit for each frame
/// of a request: enough for 16 interim responses, the head, the trailers, and flow control. The library answers or
/// skips any number of them, even while no request waits.
const MAX_FRAMES: usize = 4096;
const FRAMES_PER_SENT: usize = 32;

/// How long a connection may wait for the server to read. The library would wait forever before it closes one.
const MAX_STALL: Duration = Duration::from_secs(30);

/// Types of frames (RFC 9113 section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;

/// Bytes of a frame's head, and of the client's connection preface (RFC 9113 sections 3.4 and 4.1).
const HEAD: usize = 9;
const PREFACE: usize = 24;

/// Makes connections, encrypted or not.
#[derive(Clone)]
pub(super) struct Connector(pub(super) HttpsConnector<HttpConnector<Guard>>);

impl Service<Uri> for Connector {
    type Response = TokioIo<Watched<TokioIo<MaybeHttpsStream<TokioIo<TcpStream>>>>>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async move {
            let connection = connecting.await?;
            let is_http2 = connection.connected().is_negotiated_h2();
            Ok(TokioIo::new(Watched::new(TokioIo::new(connection), is_http2)))
        })
    }
}

/// A connection that fails once it costs too much.
pub(super) struct Watched<T> {
    inner: T,
    /// Bytes read since other tasks could run.
    at_once: usize,
    /// Runs while the server reads nothing.
    stall: Option<Pin<Box<Sleep>>>,
    /// With HTTP/2.
    frames: Option<Frames>,
}

/// The frames of both directions.
struct Frames {
    sent: Boundaries,
    received: Boundaries,
    /// How many more may be received.
    left: usize,
}

/// The boundaries of frames in one direction.
#[derive(Default)]
struct Boundaries {
    /// The head of the next frame, as far as it is known.
    head: [u8; HEAD],
    known: usize,
    /// Bytes until it begins.
    skip: usize,
}

impl<T> Watched<T> {
    fn new(inner: T, is_http2: bool) -> Self {
        let frames = || Frames {
            sent: Boundaries { skip: PREFACE, ..Boundaries::default() },
            received: Boundaries::default(),
            left: MAX_FRAMES,
        };
        Self { inner, at_once: 0, stall: None, frames: is_http2.then(frames) }
    }

    /// The result of a write, unless it has waited for too long.
    fn in_time<R>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if polled.is_ready() {
            self.stall = None;
            return polled;
        }
        ready!(self.stall.get_or_insert_with(|| Box::pin(sleep(MAX_STALL))).as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the other side reads nothing")))
    }
}

impl Frames {
    fn sent(&mut self, bytes: &[u8]) {
        let left = &mut self.left;
        self.sent.pass(bytes, |kind| {
            if matches!(kind, HEADERS | DATA) {
                *left = (*left + FRAMES_PER_SENT).min(MAX_FRAMES);
            }
        });
    }

    /// Frames with content are limited by flow control and by the reader.
    fn received(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (left, mut exceeded) = (&mut self.left, false);
        self.received.pass(bytes, |kind| {
            if kind != DATA {
                exceeded |= *left == 0;
                *left = left.saturating_sub(1);
            }
        });
        if exceeded { Err(io::Error::other("more frames of HTTP/2 than requests need")) } else { Ok(()) }
    }
}

impl Boundaries {
    /// Skips the next bytes, and reports the type of each frame whose head they complete.
    fn pass(&mut self, mut bytes: &[u8], mut tell: impl FnMut(u8)) {
        loop {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let Some((byte, rest)) = bytes.split_first() else { return };
            self.head[self.known] = *byte;
            self.known += 1;
            bytes = rest;
            if self.known == HEAD {
                let [high, middle, low, kind, ..] = self.head;
                self.skip = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
                self.known = 0;
                tell(kind);
            }
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Watched<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.at_once >= READ_AT_ONCE {
            self.at_once = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let read = &buffer.filled()[before..];
        self.at_once = if polled.is_pending() { 0 } else { self.at_once + read.len() };
        ready!(polled)?;
        Poll::Ready(self.frames.as_mut().map_or(Ok(()), |frames| frames.received(read)))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Watched<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.as_mut().poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write_vectored(context, slices);
        let written = ready!(self.in_time(context, polled))?;
        if let Some(frames) = &mut self.frames {
            let mut left = written;
            for slice in slices {
                let part = left.min(slice.len());
                frames.sent(&slice[..part]);
                left -= part;
            }
        }
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_flush(context);
        self.in_time(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_shutdown(context);
        self.in_time(context, polled)
    }
}

impl<T: Connection> Connection for Watched<T> {
    fn connected(&self) -> Connected {
        self.inner.connected()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use bytes::Bytes;
    use http_body_util::Full;
    use hyper::Request;
    use hyper::client::conn::http2::handshake;
    use hyper_util::rt::TokioExecutor;
    use std::task::Waker;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy, duplex, sink, split};

    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    /// An interim response to the first request: its field becomes an entry of the table, which is then named.
    const FIRST_INTERIM: [u8; 14] = [0, 0, 5, 1, 4, 0, 0, 0, 1, 0x48, 3, b'1', b'0', b'0'];
    const INTERIM: [u8; 10] = [0, 0, 1, 1, 4, 0, 0, 0, 1, 0xbe];
    const FINAL: [u8; 10] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x89];
    const PING: [u8; 17] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];

    /// The status of the response to a request over HTTP/2 from a server that then sends these bytes.
    async fn status(says: Vec<u8>, repeats: Vec<u8>) -> Result<u16, String> {
        let (client, server) = duplex(1 << 16);
        let (mut read, mut write) = split(server);
        tokio::spawn(async move {
            write.write_all(&SETTINGS).await.unwrap();
            // The request is sent at once after the beginning of the connection, and is here with it or a little later.
            read.read_exact(&mut [0; PREFACE]).await.unwrap();
            loop {
                let mut head = [0; HEAD];
                read.read_exact(&mut head).await.unwrap();
                let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
                copy(&mut (&mut read).take(length.into()), &mut sink()).await.unwrap();
                if head[3] == HEADERS {
                    break;
                }
            }
            tokio::spawn(async move { copy(&mut read, &mut sink()).await });
            let mut said = write.write_all(&says).await;
            while said.is_ok() && !repeats.is_empty() {
                said = write.write_all(&repeats).await;
            }
            std::future::pending::<()>().await;
        });
        let watched = TokioIo::new(Watched::new(client, true));
        let (mut sender, connection) = handshake(TokioExecutor::new(), watched).await.unwrap();
        tokio::spawn(connection);
        let request = Request::post("http://receiver.test/").body(Full::new(Bytes::from("{}"))).unwrap();
        let response = sender.send_request(request).await.map_err(|error| error.source().unwrap().to_string())?;
        Ok(response.status().as_u16())
    }

    #[tokio::test]
    async fn a_response_after_a_few_frames_is_received() {
        let says = [&FIRST_INTERIM[..], &INTERIM.repeat(15), &PING.repeat(100), &FINAL].concat();
        assert_eq!(status(says, vec![]).await, Ok(204));
    }

    #[tokio::test]
    async fn frames_without_end_end_the_connection() {
        let refused = Err("more frames of HTTP/2 than requests need".to_owned());
        assert_eq!(status(FIRST_INTERIM.to_vec(), INTERIM.repeat(1000)).await, refused);
        assert_eq!(status(vec![], PING.repeat(1000)).await, refused);
        // A type that is unknown, and therefore ignored.
        assert_eq!(status(vec![], [0, 0, 0, 0xee, 0, 0, 0, 0, 0].repeat(1000)).await, refused);
    }

    #[test]
    fn requests_allow_frames() {
        let mut frames = Watched::new((), true).frames.unwrap();
        frames.received(&PING.repeat(MAX_FRAMES)).unwrap();
        frames.sent(&[0; PREFACE]);
        frames.sent(&PING.repeat(10));
        assert!(frames.received(&PING).is_err());
        frames.sent(&FINAL);
        frames.received(&PING.repeat(FRAMES_PER_SENT)).unwrap();
        assert!(frames.received(&PING).is_err());
        frames.sent(&FINAL.repeat(MAX_FRAMES));
        frames.received(&PING.repeat(MAX_FRAMES)).unwrap();
        assert!(frames.received(&PING).is_err());
    }

    #[test]
    fn frames_are_found_wherever_they_are_cut() {
        let bytes = [&SETTINGS[..], &FIRST_INTERIM, &PING, &FINAL].concat();
        for size in 1..bytes.len() {
            let (mut boundaries, mut kinds) = (Boundaries::default(), Vec::new());
            for piece in bytes.chunks(size) {
                boundaries.pass(piece, |kind| kinds.push(kind));
            }
            assert_eq!(kinds, [4, 1, 6, 1], "{size}");
        }
    }

    #[tokio::test]
    async fn other_tasks_have_their_turn_while_much_is_read() {
        let mut watched = Watched::new(io::Cursor::new(vec![0; 1 << 20]), false);
        let (mut read, mut turns) = (0, 0);
        let mut bytes = [0; 4096];
        while read < 1 << 20 {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut watched).poll_read(&mut Context::from_waker(Waker::noop()), &mut buffer) {
                Poll::Ready(result) => result.unwrap(),
                Poll::Pending => turns += 1,
            }
            read += buffer.filled().len();
        }
        assert_eq!(turns, (1 << 20) / READ_AT_ONCE - 1);
    }

    #[tokio::test]
    async fn whoever_reads_nothing_is_left() {
        let (client, _server) = duplex(1);
        let mut watched = Watched::new(client, false);
        watched.write_all(b"x").await.unwrap();
        watched.stall = Some(Box::pin(sleep(Duration::from_millis(10))));
        assert_eq!(watched.write_all(b"y").await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
