//! Uploads: forms of several parts, and pictures for them.

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use reqwest::header::CONTENT_TYPE;
use std::io::Cursor;

/// What stands between the parts of a form.
const BOUNDARY: &str = "frontier";

/// Puts a form of these parts into a request, each with its name and what it holds; `file` is a file.
pub fn multipart(request: reqwest::RequestBuilder, parts: &[(&str, &[u8])]) -> reqwest::RequestBuilder {
    let mut body = Vec::new();
    for (name, content) in parts {
        let file = if *name == "file" { "; filename=\"me.png\"\r\nContent-Type: image/png" } else { "" };
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    request.header(CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}")).body(body)
}

/// A PNG of this size, opaque.
#[must_use]
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let pixels = RgbaImage::from_pixel(width, height, Rgba([20, 120, 220, 255]));
    let mut file = Vec::new();
    DynamicImage::ImageRgba8(pixels).write_to(&mut Cursor::new(&mut file), ImageFormat::Png).unwrap();
    file
}
