// What the author of a webhook transform finds, and how its function is called. There is no fetch in this world.
import "/claimsmith/text.js";
import "/claimsmith/random.js";
import { restart } from "/claimsmith/clock.js";
import { headerPairs } from "/claimsmith/header-pairs.js";
import { flush, show } from "/claimsmith/console.js";
import { call } from "/claimsmith/call.js";

const RETURNS = "return nothing to leave the delivery as it is, { body, headers, path } (each may be left out) to change it, or { drop: 'reason' }";
const CHANGES = ["body", "headers", "path"];

function input({ id, event, hook, environmentVariables }) {
  return {
    deliveryId: id,
    event: JSON.parse(event),
    hook: JSON.parse(hook),
    environmentVariables: Object.fromEntries(environmentVariables),
  };
}

function refuse(what) {
  throw new TypeError(`${what}: ${RETURNS}`);
}

const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function bodyOf(body) {
  if (body === undefined || typeof body === "string") return body;
  if (typeof body !== "object" || body === null) refuse(`the body is ${show(body)}, neither an object nor a text`);
  return JSON.stringify(body) ?? refuse("the body cannot be written as JSON");
}

function pathOf(path) {
  if (path !== undefined && typeof path !== "string") refuse(`the path is ${show(path)}, not a text`);
  return path;
}

function outcome(answer) {
  if (answer === undefined || answer === null) return { tag: "send", val: { headers: [] } };
  if (!isPlain(answer)) refuse(`it returned ${Array.isArray(answer) ? "a list" : typeof answer}`);
  const names = Object.keys(answer);
  if (names.includes("drop")) {
    if (names.length > 1) refuse("it returned drop beside something else");
    if (typeof answer.drop !== "string" || answer.drop === "") refuse("drop is no reason");
    return { tag: "drop", val: answer.drop };
  }
  const other = names.find((name) => !CHANGES.includes(name));
  if (other !== undefined) refuse(`it returned an object with ${JSON.stringify(other)}`);
  return { tag: "send", val: { body: bodyOf(answer.body), headers: headerPairs(answer.headers, refuse), path: pathOf(answer.path) } };
}

// A thrown object of this shape is the error of the WIT; anything else thrown would be a trap.
function failure(thrown) {
  if (thrown instanceof Error) return { tag: "failed", val: `${thrown.name}: ${thrown.message}\n${thrown.stack ?? ""}` };
  return { tag: "failed", val: `thrown: ${show(thrown)}` };
}

export async function run(main, delivery) {
  call.running = true;
  restart();
  flush();
  try {
    return outcome(await main(input(delivery)));
  } catch (thrown) {
    throw failure(thrown);
  }
}
