//! A browser at the console: people who administer, signing in by the pages, and forms as a browser sends them.

use crate::{Answer, Browser, TestServer};
use claimsmith_domain::console::ConsoleRole;
use claimsmith_domain::id::{RoleId, UserId};
use claimsmith_storage::revisions::{self, Changed};
use claimsmith_storage::roles;
use serde_json::json;

/// The password of everybody who is made here.
pub const CONSOLE_PASSWORD: &str = "violet-kettle-42";

impl TestServer {
    /// A user with a password and roles of the console.
    pub async fn operator(&self, username: &str, held: &[ConsoleRole]) -> UserId {
        let user = json!({ "username": username, "password": CONSOLE_PASSWORD });
        let made = self.management().await.post("/api/users", user).await.expect(200);
        let id = UserId::from(made["id"].as_str().unwrap());
        self.hold(&id, held).await;
        id
    }

    /// Gives a user these roles of the console and no others.
    pub async fn hold(&self, id: &UserId, held: &[ConsoleRole]) {
        let mut tx = self.begin().await;
        revisions::bump(&mut tx, Changed::All).await.unwrap();
        for role in ConsoleRole::ALL {
            let role_id = RoleId::from(role.role_id());
            if held.contains(&role) {
                roles::assign_to_user(&mut tx, id, &role_id).await.unwrap();
            } else {
                roles::holders::take_from_user(&mut tx, id, &role_id).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
    }

    /// A browser in which this user has signed in at the console.
    pub async fn at_console(&self, username: &str) -> Browser {
        let browser = Browser::new(self);
        browser.sign_in_at("/console", username, CONSOLE_PASSWORD).await.expect(200);
        browser
    }
}

impl Browser {
    /// Opens a page, signs in where it asks for that, and answers where it ends.
    pub async fn sign_in_at(&self, path: &str, username: &str, password: &str) -> Answer {
        let page = self.follow(self.visit(path).await).await.expect(200);
        let fields = [("identifier", username), ("password", password)];
        self.follow(self.fill_in(&page, "/sign-in", &fields).await).await
    }

    /// Follows redirects to their end.
    pub async fn follow(&self, mut answer: Answer) -> Answer {
        while let Some(location) = answer.header("location").map(str::to_owned) {
            assert_eq!(answer.status, 303, "{location}");
            answer = self.visit(&location).await;
        }
        answer
    }

    /// Sends the form of a page, with its token, as a browser does. The redirect is not followed.
    pub async fn fill_in(&self, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = page.hidden("csrf");
        let token = [("csrf", &*token)].into_iter().filter(|(_, value)| !value.is_empty());
        let form: Vec<_> = token.chain(fields.iter().copied()).collect();
        self.submit(path, &form).await
    }

    /// Sends a form from a page of the server.
    pub async fn submit(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.send(self.form(path, form).header("sec-fetch-site", "same-origin")).await
    }

    /// A form, without anything of where it comes from.
    pub fn form(&self, path: &str, form: &[(&str, &str)]) -> reqwest::RequestBuilder {
        self.request(reqwest::Method::POST, path).header("accept", "text/html").form(form)
    }
}

impl Answer {
    /// The page.
    #[must_use]
    pub fn html(&self) -> &str {
        self.body.as_str().unwrap_or_default()
    }

    /// The value of a hidden field of the page; empty when it has none.
    #[must_use]
    pub fn hidden(&self, name: &str) -> String {
        let start = format!("name=\"{name}\" value=\"");
        let value = self.html().split_once(&start).and_then(|(_, rest)| rest.split_once('"'));
        value.map(|(value, _)| value.replace("&#43;", "+").replace("&#61;", "=")).unwrap_or_default()
    }
}
