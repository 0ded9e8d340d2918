// The host of a plugin that is written in Ruby: what it is asked becomes a hash, what it answers is read from one.

import "./build/ruby.js";

const { Opal } = globalThis;

function toRuby(value) {
  if (value === null || value === undefined) return Opal.nil;
  if (Array.isArray(value)) return value.map(toRuby);
  if (typeof value !== "object") return value;
  return Opal.hash(...Object.entries(value).flatMap(([name, each]) => [name, toRuby(each)]));
}

function fromRuby(value) {
  if (value === Opal.nil) return null;
  if (Array.isArray(value)) return value.map(fromRuby);
  if (!value.$$is_hash) return value.valueOf();
  return Object.fromEntries(value.$to_a().map(([name, each]) => [String(name), fromRuby(each)]));
}

export function getCustomJwtClaims({ token, context, environmentVariables, api }) {
  try {
    return fromRuby(Opal.top.$get_custom_jwt_claims(toRuby({ token, context, environmentVariables })));
  } catch (error) {
    if (error.$$class?.$name() === "Denied") api.denyAccess(error.message);
    throw error;
  }
}
