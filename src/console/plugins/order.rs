//! `/console/plugins/order`: the order in which plugins are called.

use crate::answer::{done, show, show_as};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::plugins::api;
use crate::plugins::model::Plugin;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::json;

#[derive(Template)]
#[template(path = "plugins/order.html")]
struct OrderPage {
    frame: Frame,
    plugins: Vec<Plugin>,
    /// The submitted form, after an error.
    sent: Form,
    alert: String,
}

impl OrderPage {
    /// The value of a plugin's field: submitted, else stored.
    fn shown(&self, plugin: &Plugin) -> String {
        let sent = self.sent.filled(&format!("order.{}", plugin.name)).map(str::to_owned);
        sent.unwrap_or_else(|| plugin.order.to_string())
    }
}

async fn read(caller: &Caller) -> Result<Vec<Plugin>, Failure> {
    let mut plugins: Vec<Plugin> = caller.get("/api/plugins").await?;
    plugins.sort_by(|one, other| one.order.cmp(&other.order).then_with(|| one.name.cmp(&other.name)));
    Ok(plugins)
}

pub(super) async fn show_order(caller: Caller) -> Result<Response, Failure> {
    let plugins = read(&caller).await?;
    let frame = Frame::new(&caller, Section::Plugins);
    show(&caller, &OrderPage { frame, plugins, sent: Form::default(), alert: String::new() })
}

pub(super) async fn save_order(Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let plugins = read(&caller).await?;
    for plugin in plugins.iter().filter(|plugin| !plugin.is_file()) {
        let Some(text) = form.filled(&format!("order.{}", plugin.name)) else { continue };
        let seen = form.text(&format!("seen.{}", plugin.name));
        if text == seen {
            continue;
        }
        let alert = match text.parse::<i32>() {
            Ok(order) if order == plugin.order => continue,
            Ok(_) if seen != plugin.order.to_string() => {
                format!("{}: somebody else has set it to {} meanwhile.", plugin.name, plugin.order)
            }
            Ok(order) => match caller.change(Method::PATCH, &api(&plugin.name), json!({ "order": order })).await {
                Ok(()) => continue,
                Err(failure) => format!("{}: {}", plugin.name, failure.into_part()?.text()),
            },
            Err(_) => format!("{}: “{text}” is not a whole number.", plugin.name),
        };
        let frame = Frame::new(&caller, Section::Plugins);
        // Read again, because earlier plugins of the list have already been changed.
        let plugins = read(&caller).await?;
        return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &OrderPage { frame, plugins, sent: form, alert });
    }
    Ok(done("/console/plugins/order", "saved"))
}
