//! A proxy between a server and PostgreSQL that a test controls: it can cut and restore the connection, and drop
//! notifications. Without TLS, so that it can tell the messages apart.

use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The type of a message of the backend that carries a notification.
const NOTIFICATION: u8 = b'A';
/// The type and the length of a message.
const HEAD: usize = 5;

/// A listener that hands on to a PostgreSQL.
pub struct PostgresProxy {
    options: PgConnectOptions,
    address: SocketAddr,
    wire: Arc<Wire>,
    accepting: JoinHandle<()>,
}

struct Wire {
    target: String,
    /// What is to happen to what passes.
    state: watch::Sender<State>,
    /// How many connections there are.
    connections: watch::Sender<usize>,
    /// How many notifications were lost.
    lost: watch::Sender<usize>,
}

#[derive(Clone, Copy, Default)]
struct State {
    is_cut: bool,
    is_frozen: bool,
    loses_notifications: bool,
}

impl PostgresProxy {
    /// Stands in front of the database of these options.
    pub(crate) async fn start(options: PgConnectOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let wire = Arc::new(Wire {
            target: format!("{}:{}", options.get_host(), options.get_port()),
            state: watch::Sender::default(),
            connections: watch::Sender::default(),
            lost: watch::Sender::default(),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&wire)));
        Self { options, address, wire, accepting }
    }

    /// The URL under which a server reaches the database through it.
    #[must_use]
    pub fn url(&self) -> String {
        let options = self.options.clone().host(&self.address.ip().to_string()).port(self.address.port());
        options.ssl_mode(PgSslMode::Disable).to_url_lossy().into()
    }

    /// Ends every connection, and each new one at once. When this returns, nothing passes.
    pub async fn cut(&self) {
        self.wire.state.send_modify(|state| state.is_cut = true);
        self.wire.connections.subscribe().wait_for(|count| *count == 0).await.unwrap();
    }

    /// Lets nothing pass any more, without telling either side.
    pub fn freeze(&self) {
        self.wire.state.send_modify(|state| state.is_frozen = true);
    }

    /// Lets everything pass again; what was frozen goes on.
    pub fn mend(&self) {
        self.wire.state.send_modify(|state| (state.is_cut, state.is_frozen) = (false, false));
    }

    /// Loses every notification from now on.
    pub fn lose_notifications(&self) {
        self.wire.state.send_modify(|state| state.loses_notifications = true);
    }

    /// Waits until so many notifications were lost.
    pub async fn has_lost(&self, count: usize) {
        self.wire.lost.subscribe().wait_for(|lost| *lost >= count).await.unwrap();
    }
}

impl Drop for PostgresProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.wire.state.send_modify(|state| state.is_cut = true);
    }
}

async fn accept(listener: TcpListener, wire: Arc<Wire>) {
    while let Ok((client, _)) = listener.accept().await {
        wire.connections.send_modify(|count| *count += 1);
        let wire = Arc::clone(&wire);
        tokio::spawn(async move {
            carry(client, &wire).await;
            wire.connections.send_modify(|count| *count -= 1);
        });
    }
}

/// Hands on until the wire is cut or one side ends. The connections are closed then.
async fn carry(client: TcpStream, wire: &Wire) {
    let (mut state, mut thawed) = (wire.state.subscribe(), wire.state.subscribe());
    let mut relay = pin!(relay(client, wire));
    loop {
        tokio::select! {
            // First, so that nothing passes a wire that is cut or frozen.
            biased;
            _ = state.wait_for(|state| state.is_cut) => return,
            _ = thawed.wait_for(|state| state.is_frozen) => {}
            _ = &mut relay => return,
        }
        if thawed.wait_for(|state| state.is_cut || !state.is_frozen).await.is_err() {
            return;
        }
    }
}

async fn relay(client: TcpStream, wire: &Wire) -> io::Result<()> {
    let database = TcpStream::connect(&wire.target).await?;
    client.set_nodelay(true)?;
    database.set_nodelay(true)?;
    let (mut from_client, to_client) = client.into_split();
    let (from_database, mut to_database) = database.into_split();
    tokio::select! {
        copied = tokio::io::copy(&mut from_client, &mut to_database) => copied.map(|_| ()),
        told = tell(from_database, to_client, wire) => told,
    }
}

/// Hands the messages of the backend on: each has its type, its length without the type, and its content.
async fn tell(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, wire: &Wire) -> io::Result<()> {
    let mut message = vec![0; HEAD];
    loop {
        message.truncate(HEAD);
        from.read_exact(&mut message).await?;
        let length = u32::from_be_bytes([message[1], message[2], message[3], message[4]]);
        message.resize(1 + usize::try_from(length).unwrap(), 0);
        from.read_exact(&mut message[HEAD..]).await?;
        if message[0] == NOTIFICATION && wire.state.borrow().loses_notifications {
            wire.lost.send_modify(|lost| *lost += 1);
        } else {
            to.write_all(&message).await?;
        }
    }
}
