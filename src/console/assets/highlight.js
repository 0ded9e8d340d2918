// The colours of programs: JavaScript and TypeScript, JSON, TOML. A line is read with the state in which the line before
// ended, so that a change is coloured from its line on.

const WORDS = new Set(("async await break case catch class const continue default delete do else enum export extends finally for from function if import " +
  "in instanceof interface let new of readonly return satisfies static super switch this throw try type typeof var void while yield as declare").split(" "));
const VALUES = new Set("true false null undefined NaN Infinity".split(" "));
// Behind one of these a slash divides; elsewhere it begins a regular expression.
const ENDS_VALUE = /[\w$)\]}"'`]$/;

const SCRIPT = /(\/\/.*|#!.*)|(\/\*)|(`)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\d[\w.]*)|([A-Za-z_$][\w$]*)|([{}])|(\/)|\s+|[^]/gy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** Tokens of a line of a script. `state` is a stack: "comment", "template", or the depth of braces within `${…}`. */
function script(line, state) {
  const tokens = [];
  const stack = [...state];
  let at = 0;
  let before = "";
  const push = (kind, end) => {
    if (end > at) tokens.push([kind, line.slice(at, end)]);
    at = end;
  };
  while (at < line.length) {
    const top = stack.at(-1);
    if (top === "comment") {
      const end = line.indexOf("*/", at);
      if (end < 0) return push("comment", line.length), { tokens, state: stack };
      push("comment", end + 2);
      stack.pop();
      continue;
    }
    if (top === "template") {
      let end = at;
      while (end < line.length && line[end] !== "`" && !line.startsWith("${", end)) end += line[end] === "\\" ? 2 : 1;
      if (end >= line.length) return push("string", line.length), { tokens, state: stack };
      if (line[end] === "`") {
        push("string", end + 1);
        stack.pop();
        before = "`";
      } else {
        push("string", end);
        push("", end + 2);
        stack.push(0);
        before = "{";
      }
      continue;
    }
    SCRIPT.lastIndex = at;
    const match = SCRIPT.exec(line);
    const [text, comment, opens, tick, string, number, word, brace, slash] = match;
    const end = at + text.length;
    if (comment !== undefined) push("comment", end);
    else if (opens) {
      stack.push("comment");
      push("comment", end);
      continue;
    } else if (tick) {
      stack.push("template");
      push("string", end);
      continue;
    } else if (string) push("string", end);
    else if (number) push("number", end);
    else if (word) {
      const isMember = /\.$/.test(before);
      push(!isMember && WORDS.has(word) ? "word" : VALUES.has(word) ? "number" : line[end] === "(" ? "name" : "", end);
    } else if (brace && typeof top === "number") {
      const depth = top + (brace === "{" ? 1 : -1);
      if (depth < 0) stack.pop();
      else stack[stack.length - 1] = depth;
      push("", end);
    } else if (slash && !ENDS_VALUE.test(before) && ((REGEX.lastIndex = at), REGEX.test(line))) {
      push("string", REGEX.lastIndex);
    } else push("", end);
    if (text.trim() && comment === undefined) before = WORDS.has(text) ? "(" : text;
  }
  return { tokens, state: stack };
}

/** Lines that are made of parts alone, without a state. */
const plain = (pattern, kinds) => (line) => {
  const tokens = [];
  for (const match of line.matchAll(pattern)) {
    const group = match.slice(1).findIndex((part) => part !== undefined);
    tokens.push([kinds[group] ?? "", match[0]]);
  }
  return { tokens, state: [] };
};
const json = plain(/("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*"?)|(-?\d[\d.eE+-]*|true|false|null)|[^"\d\-tfn]+|[^]/g, ["name", "string", "number"]);
const toml = plain(/(#.*)|(^\s*\[.*\])|([\w."-]+(?=\s*=))|("(?:[^"\\]|\\.)*"?|'[^']*'?)|(\b(?:true|false|\d[\w.:+-]*)\b)|[^]/g, ["comment", "word", "name", "string", "number"]);
const LANGUAGES = { javascript: script, typescript: script, json, toml };

/** Tokens of a line: pairs of a kind (or nothing) and a text; and the state for the next line. */
export const tokens = (language, line, state = []) => (LANGUAGES[language] ?? ((text) => ({ tokens: [["", text]], state: [] })))(line, state);

/** Puts the tokens of a line into an element. */
export function colour(element, parts) {
  element.replaceChildren(...parts.map(([kind, text]) => {
    if (!kind) return document.createTextNode(text);
    const span = document.createElement("span");
    span.className = `code-${kind}`;
    span.textContent = text;
    return span;
  }));
}
