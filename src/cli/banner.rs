//! What `claimsmith serve` prints on standard output once it listens: what runs here, where its data is, and the links
//! to begin with. Text for people, or with `log.format = "json"` one line of JSON; log lines go to standard error.

use super::version;
use crate::server::Server;
use claimsmith_config::LogFormat;
use claimsmith_identity::bootstrap::{self, BootstrapReport, DemoReport, console_link, demo, report};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, absolute};

/// The facts and links of a started server.
pub(super) struct Banner {
    base_url: String,
    listen: String,
    data_dir: String,
    /// Its URL without the password.
    database: String,
    report_path: String,
    /// What was created at this start, with its secrets.
    created: Option<BootstrapReport>,
    demo: Option<String>,
    mailbox: Option<String>,
    /// The link for the first administrator, as long as there is none.
    setup: Option<String>,
}

impl Banner {
    /// Reads what there is to print, and creates the link for the first administrator.
    pub(super) async fn of(server: &Server) -> anyhow::Result<Self> {
        let (app, config) = (&server.app, &server.app.config);
        let base_url = config.server.base_url.to_string();
        let has_demo = bootstrap::has_demo(&mut app.db.read().await?).await?;
        let mailbox = app.mailbox_key.code().filter(|_| has_demo);
        Ok(Self {
            listen: format!("http://{}", server.listen),
            data_dir: shown(&config.data_dir),
            database: config.database.url.to_string(),
            report_path: shown(&report::path(&config.data_dir)),
            created: server.report.clone(),
            demo: has_demo.then(|| format!("{base_url}/demo")),
            mailbox: mailbox.map(|code| format!("{base_url}/demo/mailbox?code={code}")),
            setup: console_link::setup_link(&app.db, config, app.clock.now_ms()).await?,
            base_url,
        })
    }

    /// The banner in the format of the log.
    pub(super) fn rendered(&self, format: LogFormat) -> String {
        match format {
            LogFormat::Text => self.text(),
            LogFormat::Json => self.json().to_string(),
        }
    }

    fn ready(&self) -> String {
        format!("Claimsmith listens on {}; base URL {}", self.listen, self.base_url)
    }

    fn console(&self) -> String {
        format!("{}/console", self.base_url)
    }

    fn text(&self) -> String {
        let mut text = format!("Claimsmith {}\n", version::text());
        let mut line = |line: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        line("");
        for (name, value) in [
            ("Base URL", self.base_url.clone()),
            ("Console", self.console()),
            ("Data folder", self.data_dir.clone()),
            ("Database", self.database.clone()),
        ] {
            line(&format!("  {name:<12} {value}"));
        }
        line("");
        if let Some(created) = &self.created {
            line(
                "This is a new database. These secrets are shown once; they are also in bootstrap.json of the data folder.",
            );
            for one in created_lines(created) {
                line(&one);
            }
            line("");
        }
        if let Some(demo) = &self.demo {
            line(&format!("Demo application: {demo}"));
        }
        if let Some(mailbox) = &self.mailbox {
            line(&format!("Demo mailbox (email and SMS): {mailbox}"));
        }
        if let Some(setup) = &self.setup {
            line("No administrator yet. Create the first one; the link works once and expires after an hour:");
            line(&format!("\n  Open {setup}\n"));
        }
        line(&self.ready());
        text.trim_end().to_owned()
    }

    /// Secrets are not in it, since it is read by the collector of the log; the links are.
    fn json(&self) -> Value {
        json!({
            "level": "INFO", "message": self.ready(), "version": version::text(), "baseUrl": self.base_url,
            "listen": self.listen, "console": self.console(), "dataDir": self.data_dir, "database": self.database,
            "bootstrapReport": self.created.as_ref().map(|_| &self.report_path), "demo": self.demo,
            "mailbox": self.mailbox, "setup": self.setup,
        })
    }
}

fn shown(path: &Path) -> String {
    absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// What was created at this start, shown once.
fn created_lines(report: &BootstrapReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(management) = &report.management_api {
        lines.extend([
            "\n  Management API (machine-to-machine)".to_owned(),
            format!("    resource       {}", management.resource),
            format!("    client id      {}", management.client_id),
            format!("    client secret  {}", management.client_secret),
        ]);
    }
    if let Some(demo) = &report.demo {
        lines.extend(demo_lines(demo));
    }
    lines
}

fn demo_lines(demo: &DemoReport) -> Vec<String> {
    let mut lines =
        vec!["\n  Demo data".to_owned(), format!("    API            {} ({})", demo.resource, demo.scopes.join(", "))];
    let people = [
        ("customer", &demo.customer_user_id, demo::CUSTOMER, &demo.customer_password),
        ("engineer", &demo.engineer_user_id, demo::ENGINEER, &demo.engineer_password),
    ];
    for (role, id, username, password) in people {
        let password = password.as_deref().unwrap_or("(none)");
        lines.push(format!("    {role:<14} {id}, user name {username}, password {password}"));
    }
    lines.extend([
        format!("    SPA            {}", demo.spa_client_id),
        format!("    web            {}", demo.web_client_id),
        format!("    web secret     {}", demo.web_client_secret),
        "\n  Now, in another terminal: claimsmith demo".to_owned(),
    ]);
    lines
}
