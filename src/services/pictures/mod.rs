//! Pictures that users upload: recognized by their content, decoded within limits on a dedicated thread, cropped to a
//! square and encoded anew, so that only the pixels of the file are kept (`docs/decisions/uploaded-pictures.md`).

#[cfg(test)]
mod tests;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The side of a stored picture, in pixels: sharp at twice the size that pages show.
const SIDE_PIXELS: u32 = 256;
/// The longest side of a picture that is decoded, in pixels.
const MAX_SIDE_PIXELS: u32 = 8192;
/// The maximum bytes of a decoded picture: 16 million pixels with transparency, more than a phone's camera has.
const MAX_DECODED_BYTES: u64 = 64 << 20;
/// The quality of a JPEG, of 100.
const JPEG_QUALITY: u8 = 85;
/// How many pictures are decoded at once, which bounds the memory.
const MAX_DECODED_AT_ONCE: usize = 2;
/// How long a picture waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// The accepted media types.
pub const ACCEPTED: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/// A picture as it is stored.
#[derive(Debug)]
pub struct Picture {
    /// Such as `image/png`.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The reason that a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureRejection {
    /// It is not a picture of an accepted type, or is damaged.
    NotAPicture,
    /// It has too many pixels.
    TooManyPixels,
    /// Too many pictures wait to be decoded; a retry may succeed in a moment.
    Busy,
}

/// Makes pictures of files.
pub struct Pictures {
    turns: Arc<Semaphore>,
    timeout: Duration,
}

impl Pictures {
    /// For a whole server.
    pub(crate) fn new() -> Self {
        Self { turns: Arc::new(Semaphore::new(MAX_DECODED_AT_ONCE)), timeout: QUEUE_TIMEOUT }
    }

    /// The picture in a file, as it is to be stored.
    pub async fn read(&self, file: Bytes) -> Result<Picture, PictureRejection> {
        let format = format_of(&file).ok_or(PictureRejection::NotAPicture)?;
        let turn = tokio::time::timeout(self.timeout, Arc::clone(&self.turns).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(PictureRejection::Busy) };
        let work = tokio::task::spawn_blocking(move || {
            let made = make(&file, format);
            // Dropped here, because the work goes on after the caller has stopped waiting.
            drop(turn);
            made
        });
        work.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a picture could not be decoded");
            Err(PictureRejection::NotAPicture)
        })
    }
}

/// The format by the first bytes. The client's file name and media type are ignored.
fn format_of(file: &[u8]) -> Option<ImageFormat> {
    match file {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(ImageFormat::Png),
        [0xff, 0xd8, 0xff, ..] => Some(ImageFormat::Jpeg),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(ImageFormat::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(ImageFormat::WebP),
        _ => None,
    }
}

fn make(file: &[u8], format: ImageFormat) -> Result<Picture, PictureRejection> {
    let decoded = decode(file, format)?;
    let (width, height) = (decoded.width(), decoded.height());
    let side = width.min(height);
    if side == 0 {
        return Err(PictureRejection::NotAPicture);
    }
    let square = decoded.crop_imm((width - side) / 2, (height - side) / 2, side, side);
    drop(decoded);
    encode(&square.resize_exact(SIDE_PIXELS, SIDE_PIXELS, FilterType::CatmullRom)).ok_or(PictureRejection::NotAPicture)
}

/// The pixels, upright; of an animation those of its first frame.
fn decode(file: &[u8], format: ImageFormat) -> Result<DynamicImage, PictureRejection> {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE_PIXELS);
    limits.max_image_height = Some(MAX_SIDE_PIXELS);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| rejected(&error))?;
    let (width, height) = decoder.dimensions();
    // Formats check their limits at different moments; this is before any of them allocates memory.
    if width.max(height) > MAX_SIDE_PIXELS || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(PictureRejection::TooManyPixels);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| rejected(&error))?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn rejected(error: &image::ImageError) -> PictureRejection {
    match error {
        image::ImageError::Limits(_) => PictureRejection::TooManyPixels,
        _ => PictureRejection::NotAPicture,
    }
}

/// A PNG if any pixel is transparent, otherwise a JPEG, which is smaller. Neither has metadata.
fn encode(image: &DynamicImage) -> Option<Picture> {
    let (pixels, mut bytes) = (image.to_rgba8(), Vec::new());
    if pixels.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
        let opaque = DynamicImage::ImageRgb8(image.to_rgb8());
        opaque.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)).ok()?;
        return Some(Picture { media_type: "image/jpeg", bytes });
    }
    DynamicImage::ImageRgba8(pixels).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).ok()?;
    Some(Picture { media_type: "image/png", bytes })
}
