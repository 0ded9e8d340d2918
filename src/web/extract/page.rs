//! Pagination: `page` and `page_size` of a request, `Total-Number` and `Link` (RFC 8288) of its response.

use crate::error::ApiError;
use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use claimsmith_domain::api_code::ApiCode;
use claimsmith_services::app::App;
use claimsmith_storage::Slice;
use serde::Serialize;
use std::fmt::Write;

const DEFAULT_PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;
const TOTAL_NUMBER: HeaderName = HeaderName::from_static("total-number");
const TOTAL_NUMBER_IS_CAPPED: HeaderName = HeaderName::from_static("total-number-is-capped");
/// The most bytes of a `Link` header: it repeats the query up to four times, and many clients limit the size of
/// response heads.
const MAX_LINK_HEADER_BYTES: usize = 8 * 1024;
/// The most items of a list without pages.
const MAX_UNPAGED_ITEMS: i64 = 10_000;
/// How far the items of capped lists are counted.
const MAX_COUNTED_ITEMS: i64 = 10_000;

/// The page that a request asks for; the first when it does not say.
pub struct Page {
    number: u32,
    size: u32,
    asked: bool,
    /// The request's URL as clients know it, without its query.
    url: String,
    /// The query without `page`.
    query: Vec<(String, String)>,
}

/// The same for lists that are answered whole, and without the headers, when a request asks for no page. One that is
/// longer than 10,000 items is answered to there, with the headers that tell how long it is.
pub struct OptionalPage(Page);

impl Page {
    /// What to read.
    #[must_use]
    pub fn slice(&self) -> Slice {
        let size = i64::from(self.size);
        Slice { limit: size, offset: (i64::from(self.number) - 1) * size }
    }

    /// The answer: `items` of a list of `total`.
    pub fn answer<T: Serialize>(&self, total: i64, items: Vec<T>) -> Result<Response, ApiError> {
        let mut headers = HeaderMap::new();
        headers.insert(TOTAL_NUMBER, HeaderValue::from(total));
        add_links(&mut headers, &self.links(total))?;
        Ok((headers, Json(items)).into_response())
    }

    /// The answer of a list that is a member of an object.
    pub fn answer_object<T: Serialize>(&self, total: i64, body: &T) -> Result<Response, ApiError> {
        let mut headers = HeaderMap::new();
        headers.insert(TOTAL_NUMBER, HeaderValue::from(total));
        add_links(&mut headers, &self.links(total))?;
        Ok((headers, Json(body)).into_response())
    }

    /// How far a list is to be counted for [`Page::answer_capped`].
    pub const COUNT_LIMIT: i64 = MAX_COUNTED_ITEMS + 1;

    /// The response: `items` of a list that was counted to [`Page::COUNT_LIMIT`]. With more than 10,000 items there is
    /// no link to the last page.
    pub fn answer_capped<T: Serialize>(&self, counted: i64, items: Vec<T>) -> Result<Response, ApiError> {
        if counted < Self::COUNT_LIMIT {
            return self.answer(counted, items);
        }
        let mut headers = HeaderMap::new();
        headers.insert(TOTAL_NUMBER, HeaderValue::from(MAX_COUNTED_ITEMS));
        headers.insert(TOTAL_NUMBER_IS_CAPPED, HeaderValue::from_static("true"));
        add_links(&mut headers, &self.first_links())?;
        Ok((headers, Json(items)).into_response())
    }

    /// The same with a link to the next page, for lists that clients read to their end.
    pub fn answer_found<T: Serialize>(&self, counted: i64, items: Vec<T>) -> Result<Response, ApiError> {
        if counted < Self::COUNT_LIMIT {
            return self.answer(counted, items);
        }
        let mut links = self.first_links();
        if items.len() >= usize::try_from(self.size)? {
            // Writing into a String cannot fail.
            let _ = write!(links, ", <{}>; rel=\"next\"", self.link(i64::from(self.number) + 1));
        }
        let mut headers = HeaderMap::new();
        headers.insert(TOTAL_NUMBER, HeaderValue::from(MAX_COUNTED_ITEMS));
        headers.insert(TOTAL_NUMBER_IS_CAPPED, HeaderValue::from_static("true"));
        add_links(&mut headers, &links)?;
        Ok((headers, Json(items)).into_response())
    }

    fn first_links(&self) -> String {
        let number = i64::from(self.number);
        let mut links = format!("<{}>; rel=\"first\"", self.link(1));
        // Writing into a String cannot fail.
        if number > 1 {
            let _ = write!(links, ", <{}>; rel=\"prev\"", self.link(number - 1));
        }
        links
    }

    fn links(&self, total: i64) -> String {
        let number = i64::from(self.number);
        let last = (total.max(1) - 1) / i64::from(self.size) + 1;
        let mut links = self.first_links();
        if number < last {
            let _ = write!(links, ", <{}>; rel=\"next\"", self.link(number + 1));
        }
        let _ = write!(links, ", <{}>; rel=\"last\"", self.link(last));
        links
    }

    fn link(&self, number: i64) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.query).append_pair("page", &number.to_string());
        // A space as it is everywhere in a URL; a plus means one in forms alone.
        format!("{}?{}", self.url, query.finish().replace('+', "%20"))
    }
}

/// Adds the `Link` header, unless the query is too long to be repeated: then the client counts the pages itself.
fn add_links(headers: &mut HeaderMap, links: &str) -> Result<(), ApiError> {
    if links.len() <= MAX_LINK_HEADER_BYTES {
        headers.insert(header::LINK, HeaderValue::from_str(links)?);
    }
    Ok(())
}

impl OptionalPage {
    /// What to read.
    #[must_use]
    pub fn slice(&self) -> Slice {
        if self.0.asked { self.0.slice() } else { Slice { limit: MAX_UNPAGED_ITEMS, offset: 0 } }
    }

    /// The answer: `items` of a list of `total`.
    pub fn answer<T: Serialize>(&self, total: i64, items: Vec<T>) -> Result<Response, ApiError> {
        if self.0.asked || total > MAX_UNPAGED_ITEMS {
            self.0.answer(total, items)
        } else {
            Ok(Json(items).into_response())
        }
    }
}

impl FromRequestParts<App> for Page {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let text = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
        let number = self::number(&pairs, "page", u32::MAX)?;
        let size = self::number(&pairs, "page_size", MAX_PAGE_SIZE)?;
        Ok(Self {
            number: number.unwrap_or(1),
            size: size.unwrap_or(DEFAULT_PAGE_SIZE),
            asked: number.is_some() || size.is_some(),
            url: format!("{}{}", app.config.server.base_url, parts.uri.path()),
            query: pairs.into_iter().filter(|(name, _)| name != "page").collect(),
        })
    }
}

impl FromRequestParts<App> for OptionalPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Page::from_request_parts(parts, app).await.map(Self)
    }
}

/// A whole number from 1 to `largest`, given once or not at all.
fn number(pairs: &[(String, String)], name: &str, largest: u32) -> Result<Option<u32>, ApiError> {
    let mut values = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
    let Some(value) = values.next() else { return Ok(None) };
    let number = value.parse().ok().filter(|number| (1..=largest).contains(number));
    if number.is_none() || values.next().is_some() {
        let message = format!("{name} must be a whole number from 1 to {largest}.");
        return Err(ApiError::new(ApiCode::GuardInvalidPagination, message));
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32, query: &[(&str, &str)]) -> Page {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Page { number, size: 10, asked: true, url: "https://id.test/api/users".to_owned(), query }
    }

    #[test]
    fn links_name_the_neighbours_that_exist() {
        let relations = |number, total| {
            let links = page(number, &[]).links(total);
            let names = links.split("rel=\"").skip(1).filter_map(|rest| rest.split('"').next());
            let numbers = links.split("page=").skip(1).filter_map(|rest| rest.split('>').next());
            names.zip(numbers).map(|(name, number)| format!("{name} {number}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(relations(1, 0), "first 1, last 1");
        assert_eq!(relations(1, 10), "first 1, last 1");
        assert_eq!(relations(1, 11), "first 1, next 2, last 2");
        assert_eq!(relations(2, 30), "first 1, prev 1, next 3, last 3");
        assert_eq!(relations(9, 30), "first 1, prev 8, last 3");
    }

    #[test]
    fn a_capped_list_has_no_last_page() {
        let (page, url) = (page(3, &[]), "https://id.test/api/users");
        assert_eq!(page.first_links(), format!("<{url}?page=1>; rel=\"first\", <{url}?page=2>; rel=\"prev\""));
    }

    #[test]
    fn a_capped_list_that_is_read_to_its_end_has_a_next_page() -> Result<(), ApiError> {
        let links = |items: usize| {
            let answer = page(3, &[]).answer_found(Page::COUNT_LIMIT, vec![0; items])?;
            assert_eq!(answer.headers().get(TOTAL_NUMBER), Some(&HeaderValue::from(10_000)));
            assert!(answer.headers().contains_key(TOTAL_NUMBER_IS_CAPPED));
            let links = answer.headers().get(header::LINK).and_then(|value| value.to_str().ok().map(str::to_owned));
            Ok::<_, ApiError>(links.unwrap_or_default())
        };
        assert!(links(10)?.ends_with("page=4>; rel=\"next\""));
        assert!(links(9)?.ends_with("page=2>; rel=\"prev\""));
        let few = page(1, &[]).answer_found(7, vec![0; 7])?;
        assert!(!few.headers().contains_key(TOTAL_NUMBER_IS_CAPPED));
        Ok(())
    }

    #[test]
    fn links_keep_the_rest_of_the_query() {
        let links = page(1, &[("page_size", "10"), ("q", "a b>\"")]).links(1);
        let url = "https://id.test/api/users?page_size=10&q=a%20b%3E%22&page=1";
        assert_eq!(links, format!("<{url}>; rel=\"first\", <{url}>; rel=\"last\""));
    }

    #[test]
    fn a_query_is_repeated_as_clients_read_it_or_not_at_all() -> Result<(), ApiError> {
        let of = |text: &str| page(1, &[("search", text)]).answer(100, vec![0]).map(|answer| answer.headers().clone());
        let headers = of("a+b c&d=ü%\r\n")?;
        let text = headers.get(header::LINK).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let link = text.split(['<', '>']).nth(1).and_then(|link| url::Url::parse(link).ok());
        let pairs = link.map(|link| link.query_pairs().into_owned().collect::<Vec<_>>()).unwrap_or_default();
        assert_eq!(pairs.first().map(|(_, value)| value.as_str()), Some("a+b c&d=ü%\r\n"), "{text}");
        let headers = of(&"a".repeat(MAX_LINK_HEADER_BYTES))?;
        assert!(headers.contains_key(TOTAL_NUMBER) && !headers.contains_key(header::LINK));
        Ok(())
    }

    #[test]
    fn a_whole_list_has_an_end_and_says_when_it_is_there() -> Result<(), ApiError> {
        let whole = || OptionalPage(Page { asked: false, ..page(1, &[]) });
        assert_eq!(whole().slice(), Slice { limit: 10_000, offset: 0 });
        assert!(!whole().answer(10_000, vec![0])?.headers().contains_key(TOTAL_NUMBER));
        let cut = whole().answer(10_001, vec![0])?;
        assert_eq!(cut.headers().get(TOTAL_NUMBER), Some(&HeaderValue::from(10_001)));
        let asked = OptionalPage(Page { asked: true, ..page(1, &[]) });
        assert!(asked.slice().limit < 10_000);
        assert!(asked.answer(1, vec![0])?.headers().contains_key(TOTAL_NUMBER));
        Ok(())
    }

    #[test]
    fn refuses_what_is_no_page() {
        let read = |values: &[&str]| {
            let pairs: Vec<_> = values.iter().map(|value| ("page".to_owned(), (*value).to_owned())).collect();
            number(&pairs, "page", 100).ok()
        };
        assert_eq!(read(&[]), Some(None));
        assert_eq!(read(&["100"]), Some(Some(100)));
        for bad in [&["0"][..], &["101"], &["-1"], &["1.5"], &[""], &["x"], &["1", "1"]] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }
}
