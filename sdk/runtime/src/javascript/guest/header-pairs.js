// Headers of an answer as pairs of texts: an object, a list of pairs, or a `Headers`. `refuse` throws what is wrong.
import { Headers } from "/claimsmith/headers.js";
import { show } from "/claimsmith/console.js";

export function headerPairs(headers, refuse) {
  if (headers === undefined) return [];
  if (typeof headers !== "object" || headers === null) refuse(`the headers are ${show(headers)}, not an object`);
  const pairs = headers instanceof Headers ? [...headers] : Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) refuse("the headers are a list of something else than pairs");
    const [name, value] = pair;
    if (!["string", "number", "boolean"].includes(typeof value)) refuse(`the header ${name} is ${show(value)}, not a text`);
    return [String(name), String(value)];
  });
}
