// No e-mail address and no phone number leaves in a webhook: each is replaced by a mask, wherever it stands in the body.
//
// A webhook transform exports `transformWebhook` instead of `getCustomJwtClaims`. It is given
//   event                 the body as it would be sent, parsed
//   hook                  { id, name, url } of the hook that it goes to
//   environmentVariables  those of its settings, secrets among them
//   deliveryId            the delivery's `webhook-id`
// and returns nothing (the delivery stays as it is), what is to change of { body, headers, path }, or { drop: "why" }.
//
// Masks hide more than they must rather than less: a text of digits that is as long as a phone number is taken for one.

const EMAIL_MASK = "[email]";
const PHONE_MASK = "[phone]";

// The local part is bounded, as it is by standard: on a long text without any address nothing is tried over and over.
const EMAIL = /[\p{L}\p{N}._%+'~-]{1,64}(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]{0,252}/giu;

// With a country's code, or as three, three and four digits.
const INTERNATIONAL = /(?:\+|%2B|\b00)[1-9](?:[ ().\/-]{0,2}\d){6,14}(?!\d)/gi;
const NATIONAL = /(?<![\p{L}\p{N}.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\p{L}\p{N}])/gu;

// A text that is nothing but such a number, as `primaryPhone` is; not what is written alike.
const WHOLE = /^[\d ().\/-]{7,24}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PHONE_NAME = /phone|mobile|msisdn/i;

const digits = (text) => text.replace(/\D/g, "").length;

function isNumberOnly(text) {
  return WHOLE.test(text) && !DATE.test(text) && !ADDRESS.test(text) && digits(text) >= 7 && digits(text) <= 15;
}

function maskText(text, name) {
  if (isNumberOnly(text) || (PHONE_NAME.test(name) && digits(text) >= 4)) return PHONE_MASK;
  const hidden = /@|%40/.test(text) ? text.replace(EMAIL, EMAIL_MASK) : text;
  return hidden.replace(INTERNATIONAL, PHONE_MASK).replace(NATIONAL, PHONE_MASK);
}

function mask(value, name = "") {
  if (typeof value === "string") return maskText(value, name);
  if (typeof value === "number") return PHONE_NAME.test(name) && digits(String(value)) >= 4 ? PHONE_MASK : value;
  if (Array.isArray(value)) return value.map((item) => mask(item, name));
  if (typeof value !== "object" || value === null) return value;
  // Somebody may have named a member after an address.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [maskText(key, ""), mask(member, key)]));
}

export const transformWebhook = async ({ event }) => ({ body: mask(event) });
