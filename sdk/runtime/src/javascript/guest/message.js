// What the author of a message plugin finds, and how its function is called. There is no fetch in this world: the server
// sends the request that the function returns.
import "/claimsmith/text.js";
import "/claimsmith/random.js";
import { restart } from "/claimsmith/clock.js";
import { URLSearchParams } from "/claimsmith/headers.js";
import { headerPairs } from "/claimsmith/header-pairs.js";
import { flush, show } from "/claimsmith/console.js";
import { call } from "/claimsmith/call.js";

const RETURNS = "return the request that sends the message, { url, method, headers, body } (all but url may be left out)";
const MEMBERS = ["url", "method", "headers", "body"];
const FORM = "application/x-www-form-urlencoded";

class MessageDenied extends Error {}

const api = Object.freeze({
  denyMessage(message = "Message denied") {
    throw new MessageDenied(String(message));
  },
});

function input({ id, channel, event, recipient, language, code, link, content, context, environmentVariables }) {
  const message = { id, channel, event, recipient, language };
  // What does not apply is absent, not null.
  if (code != null) message.code = code;
  if (link != null) message.link = link;
  message.content = JSON.parse(content);
  message.context = JSON.parse(context);
  return { ...message, environmentVariables: Object.fromEntries(environmentVariables), api };
}

function refuse(what) {
  throw new TypeError(`${what}: ${RETURNS}`);
}

// Text, and the media type that it has unless the headers say otherwise.
function bodyOf(body) {
  if (body === undefined || typeof body === "string") return [body, undefined];
  if (typeof body !== "object" || body === null) refuse(`the body is ${show(body)}, neither an object nor a text`);
  if (body instanceof URLSearchParams) return [String(body), FORM];
  return [JSON.stringify(body) ?? refuse("the body cannot be written as JSON"), "application/json"];
}

function request(answer) {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) refuse(`it returned ${typeof answer}`);
  const other = Object.keys(answer).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) refuse(`it returned an object with ${JSON.stringify(other)}`);
  const { url, method = "POST", headers } = answer;
  if (typeof url !== "string") refuse(`the url is ${show(url)}, not a text`);
  if (typeof method !== "string") refuse(`the method is ${show(method)}, not a text`);
  const [body, type] = bodyOf(answer.body);
  const pairs = headerPairs(headers, refuse);
  const isTyped = pairs.some(([name]) => name.toLowerCase() === "content-type");
  if (type !== undefined && !isTyped) pairs.push(["content-type", type]);
  return { method: method.toUpperCase(), url, headers: pairs, body };
}

// A thrown object of this shape is the error of the WIT; anything else thrown would be a trap.
function failure(thrown) {
  if (thrown instanceof MessageDenied) return { tag: "denied", val: thrown.message };
  if (thrown instanceof Error) return { tag: "failed", val: `${thrown.name}: ${thrown.message}\n${thrown.stack ?? ""}` };
  return { tag: "failed", val: `thrown: ${show(thrown)}` };
}

export async function run(main, message) {
  call.running = true;
  restart();
  flush();
  try {
    return request(await main(input(message)));
  } catch (thrown) {
    throw failure(thrown);
  }
}
