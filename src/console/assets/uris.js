// URIs are checked while they are typed: fields with data-uris="TYPE OF APPLICATION" (redirect URIs), "origin",
// "private", "page" or "delivery"; a textarea has one per line. The server checks again when the form is sent
// (src/domain/documents/uri_rule.rs), and shows the same remarks.

const OF_BROWSERS = ["about:", "blob:", "data:", "file:", "filesystem:", "ftp:", "javascript:", "mailto:", "vbscript:", "view-source:", "ws:", "wss:"];
const TYPES = ["Native", "SPA", "Traditional", "MachineToMachine"];

const isWeb = ({ protocol }) => protocol === "https:" || protocol === "http:";
const isLoopback = ({ hostname }) => hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
const hasUser = ({ username, password }) => Boolean(username || password);

function problem(text, kind) {
  if (text.length > 2048) return "has more than 2048 characters";
  if (/[\s\\]|\p{Cc}/u.test(text)) return "contains spaces, control characters or backslashes";
  if (!URL.canParse(text)) return "is not an absolute URI, which begins with https:// or http://localhost";
  const url = new URL(text);
  if (kind === "origin") {
    const origin = isWeb(url) ? url.origin : `${url.protocol}//${url.host}`;
    const fits = url.host && !OF_BROWSERS.includes(url.protocol) && !text.includes("*");
    return fits && origin === text.replace(/\/$/, "") ? "" : "is not an origin: scheme, host and port, such as https://app.example.com";
  }
  if (kind === "private") {
    const fits = (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) && !hasUser(url) && !text.includes("#");
    return fits ? "" : "is not an https URL, or http on a loopback address, without user and fragment";
  }
  if (!TYPES.includes(kind)) return isWeb(url) ? "" : "is not an http or https URL";
  if (text.includes("#")) return "has a fragment (#…), which a redirect URI may not have";
  const rest = text.slice(url.protocol.length);
  if (isWeb(url)) {
    if (!rest.startsWith("//")) return "is not an absolute URI, which begins with https:// or http://localhost";
    if (hasUser(url)) return "contains a user name or a password";
  } else if (OF_BROWSERS.includes(url.protocol)) return "has a scheme to which browsers give a meaning of their own";
  else if (url.protocol === "localhost:" || /^\d{1,5}([/?]|$)/.test(rest)) return "has no scheme; it begins with https:// or http://localhost";
  else if (kind !== "Native" && kind !== "SPA") return "has a scheme of its own, which only native and single-page applications may have";
  return url.host.includes("*") || url.pathname.includes("*") ? "has a wildcard, but redirect URIs must match exactly" : "";
}

const REMARKS = {
  origin: "others on the network can change what is loaded from there",
  page: "others on the network can change what is loaded from there",
  delivery: "others on the network can read the deliveries",
};

function remark(text, kind) {
  if (kind === "private" || problem(text, kind)) return "";
  const url = new URL(text);
  if (url.protocol !== "http:" || isLoopback(url)) return "";
  return `Not encrypted: ${REMARKS[kind] ?? "others on the network can read the codes that are sent there"}. Use https.`;
}

// The paragraph that says it, which the server has made or which is made here.
function paragraph(field, name, after) {
  const id = `${field.id}-${name}`;
  let found = document.getElementById(id);
  if (!found) {
    found = document.createElement("p");
    found.className = name;
    found.id = id;
    after.after(found);
  }
  found.setAttribute("aria-live", "polite");
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  if (!described.includes(id)) field.setAttribute("aria-describedby", [...described, id].join(" "));
  return found;
}

function check(field, saysProblem, saysRemark) {
  const kind = field.dataset.uris;
  const lines = field.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const first = (judge) => lines.map((line) => [line, judge(line, kind)]).find(([, text]) => text);
  const wrong = first(problem);
  field.setCustomValidity(wrong ? `${wrong[0]} ${wrong[1]}.` : "");
  field.setAttribute("aria-invalid", String(Boolean(wrong)));
  saysProblem.textContent = field.validationMessage;
  const noted = first(remark);
  saysRemark.textContent = noted ? `${noted[0]}: ${noted[1]}` : "";
  saysRemark.hidden = !noted;
}

for (const field of document.querySelectorAll("[data-uris]")) {
  const saysProblem = paragraph(field, "problem", field);
  const saysRemark = paragraph(field, "remark", saysProblem);
  field.addEventListener("input", () => check(field, saysProblem, saysRemark));
}
