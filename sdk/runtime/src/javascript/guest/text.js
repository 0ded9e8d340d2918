// Text and bytes: TextEncoder, TextDecoder (UTF-8), atob and btoa.
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function encode(text) {
  const bytes = [];
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0);
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return Uint8Array.from(bytes);
}

// The second byte's bounds exclude overlong forms, surrogates and what lies beyond U+10FFFF.
function sequence(lead) {
  if (lead >= 0xc2 && lead <= 0xdf) return [1, lead & 0x1f, 0x80, 0xbf];
  if (lead >= 0xe0 && lead <= 0xef) return [2, lead & 0x0f, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf];
  if (lead >= 0xf0 && lead <= 0xf4) return [3, lead & 0x07, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf];
  return null;
}

function decode(bytes, fatal) {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++];
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      continue;
    }
    let [left, code, low, high] = sequence(lead) ?? [-1];
    while (left > 0 && bytes[at] >= low && bytes[at] <= high) {
      code = (code << 6) | (bytes[at++] & 63);
      [left, low, high] = [left - 1, 0x80, 0xbf];
    }
    if (left !== 0 && fatal) throw new TypeError("the bytes are not UTF-8");
    text += left === 0 ? String.fromCodePoint(code) : "\ufffd";
  }
  return text;
}

function view(input) {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  return new Uint8Array(input);
}

globalThis.TextEncoder = class TextEncoder {
  encoding = "utf-8";
  encode(text = "") {
    return encode(String(text));
  }
};

globalThis.TextDecoder = class TextDecoder {
  encoding = "utf-8";
  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!/^utf-?8$/i.test(label)) throw new RangeError(`the encoding ${label} is not supported: utf-8 is`);
    this.fatal = fatal;
    this.ignoreBOM = ignoreBOM;
  }
  decode(input) {
    const text = decode(view(input), this.fatal);
    return !this.ignoreBOM && text.startsWith("\ufeff") ? text.slice(1) : text;
  }
};

globalThis.btoa = (data) => {
  const text = String(data);
  let out = "";
  for (let at = 0; at < text.length; at += 3) {
    const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    if (a > 255 || b > 255 || c > 255) throw new RangeError("btoa takes characters up to U+00FF");
    const bits = (a << 16) | (b << 8) | c;
    out += ALPHABET[bits >> 18] + ALPHABET[(bits >> 12) & 63];
    out += (at + 1 < text.length ? ALPHABET[(bits >> 6) & 63] : "=") + (at + 2 < text.length ? ALPHABET[bits & 63] : "=");
  }
  return out;
};

globalThis.atob = (data) => {
  let text = String(data).replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw new RangeError("atob takes base64");
  let out = "";
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    bits = ((bits << 6) | ALPHABET.indexOf(text[at])) & 0xffffff;
    const spare = [-1, 4, 2, 0][at % 4];
    if (spare >= 0) out += String.fromCharCode((bits >> spare) & 255);
  }
  return out;
};
