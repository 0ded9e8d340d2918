//! Pictures of every format, and files that only look like pictures.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use image::{Rgb, RgbImage, Rgba, RgbaImage};

/// A picture of this size, red on its left and blue on its right.
fn halves(width: u32, height: u32) -> DynamicImage {
    let colour = |x| if x < width / 2 { Rgb([255, 0, 0]) } else { Rgb([0, 0, 255]) };
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| colour(x)))
}

/// The same with something transparent.
fn transparent(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, |_, y| Rgba([9, 99, 199, if y == 0 { 0 } else { 255 }])))
}

fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn kept(file: &[u8]) -> Result<Picture, PictureRejection> {
    make(file, format_of(file).ok_or(PictureRejection::NotAPicture)?)
}

fn pixels(picture: &Picture) -> DynamicImage {
    image::load_from_memory_with_format(&picture.bytes, format_of(&picture.bytes).unwrap()).unwrap()
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// The checksum of a chunk of a PNG (ISO 3309).
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

fn chunk(kind: [u8; 4], content: &[u8]) -> Vec<u8> {
    let named = [&kind[..], content].concat();
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length[..], &named, &crc(&named).to_be_bytes()].concat()
}

/// A PNG that claims this size.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let small = file(&transparent(8, 8), ImageFormat::Png);
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &small[24..29]].concat();
    [&small[..8], &chunk(*b"IHDR", &header), &small[33..]].concat()
}

#[test]
fn every_format_becomes_a_square_of_one_size() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        for (width, height) in [(600, 300), (40, 500), (1, 1)] {
            let picture = kept(&file(&halves(width, height), format)).unwrap();
            assert_eq!(picture.media_type, "image/jpeg", "{format:?} {width} {height}");
            let pixels = pixels(&picture);
            assert_eq!((pixels.width(), pixels.height()), (SIDE_PIXELS, SIDE_PIXELS), "{format:?}");
        }
    }
    let picture = kept(&file(&transparent(300, 200), ImageFormat::Png)).unwrap();
    assert_eq!((picture.media_type, format_of(&picture.bytes)), ("image/png", Some(ImageFormat::Png)));
    assert_eq!(pixels(&picture).width(), SIDE_PIXELS);
}

#[test]
fn nothing_is_kept_but_pixels() {
    let secret = b"51.4778 N <script>alert(1)</script>";
    let png = file(&halves(30, 30), ImageFormat::Png);
    let text = chunk(*b"tEXt", &[&b"Comment\0"[..], secret].concat());
    let with_text = [&png[..33], &text, &png[33..]].concat();
    let jpeg = file(&halves(30, 30), ImageFormat::Jpeg);
    let length = u16::try_from(secret.len() + 2).unwrap().to_be_bytes();
    let with_comment = [&jpeg[..2], &[0xff, 0xfe], &length[..], secret, &jpeg[2..]].concat();
    // A polyglot file: a picture with data after its end.
    let with_tail = [&png[..], secret].concat();
    for file in [with_text, with_comment, with_tail] {
        assert!(contains(&file, secret));
        assert!(!contains(&kept(&file).unwrap().bytes, b"script"));
    }
}

#[test]
fn pictures_stand_upright() {
    let jpeg = file(&halves(200, 200), ImageFormat::Jpeg);
    // Exif with one tag: the orientation, a quarter turn to the right.
    let exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let turned = [&jpeg[..2], &[0xff, 0xe1], &length[..], exif, &jpeg[2..]].concat();
    for (file, red, blue) in [(jpeg, (60, 128), (190, 128)), (turned, (128, 60), (128, 190))] {
        let pixels = pixels(&kept(&file).unwrap()).to_rgb8();
        let (red, blue) = (pixels.get_pixel(red.0, red.1), pixels.get_pixel(blue.0, blue.1));
        assert!(red.0[0] > 200 && red.0[2] < 60 && blue.0[2] > 200 && blue.0[0] < 60, "{red:?} {blue:?}");
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let ico = b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x16\0\0\0";
    for file in [&b""[..], b"hello", svg, ico, b"BM", b"II*\0", b"%PDF-1.7", b"GIF89a", b"RIFF\0\0\0\0WEBP"] {
        assert_eq!(kept(file).map(|_| ()), Err(PictureRejection::NotAPicture), "{file:?}");
    }
    let png = file(&halves(90, 90), ImageFormat::Png);
    assert_eq!(kept(&png[..png.len() / 2]).map(|_| ()), Err(PictureRejection::NotAPicture));
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let whole = file(&halves(24, 24), format);
        for length in 0..whole.len() {
            // No truncated picture does harm, whether it can be decoded or not.
            if let Ok(picture) = kept(&whole[..length]) {
                assert_eq!(pixels(&picture).width(), SIDE_PIXELS);
            }
        }
    }
}

#[test]
fn pictures_that_would_take_much_memory_are_refused() {
    for (width, height) in [(100_000, 100_000), (MAX_SIDE_PIXELS + 1, 1), (1, 0x7fff_ffff), (8000, 8000)] {
        assert_eq!(
            kept(&claiming(width, height)).map(|_| ()),
            Err(PictureRejection::TooManyPixels),
            "{width} {height}"
        );
    }
    let mut gif = file(&halves(9, 9), ImageFormat::Gif);
    gif[6..10].fill(0xff);
    assert!(kept(&gif).is_err());
    let mut jpeg = file(&halves(9, 9), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].fill(0xff);
    assert!(kept(&jpeg).is_err());
}

#[tokio::test]
async fn a_few_are_decoded_at_once_and_the_others_wait() {
    let png = Bytes::from(file(&halves(500, 500), ImageFormat::Png));
    let pictures = Arc::new(Pictures { turns: Arc::new(Semaphore::new(1)), timeout: Duration::from_secs(600) });
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (pictures, png) = (Arc::clone(&pictures), png.clone());
            tokio::spawn(async move { pictures.read(png).await.map(|picture| picture.media_type) })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok("image/jpeg"));
    }
    assert_eq!(pictures.turns.available_permits(), 1);
    let full = Pictures { turns: Arc::new(Semaphore::new(0)), timeout: Duration::ZERO };
    assert_eq!(full.read(png).await.map(|picture| picture.media_type), Err(PictureRejection::Busy));
}
