// Addresses, one a line, are checked while somebody types them: textareas with data-uris="TYPE OF APPLICATION", or
// "origin". The server checks again when the form is sent.

const OF_BROWSERS = ["about:", "blob:", "data:", "file:", "filesystem:", "ftp:", "javascript:", "mailto:", "vbscript:", "view-source:", "ws:", "wss:"];

function problem(text, kind) {
  if (!URL.canParse(text)) return "is no absolute URI; it begins with https:// or http://localhost";
  const url = new URL(text);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  if (kind === "origin") {
    const origin = isWeb ? url.origin : `${url.protocol}//${url.host}`;
    const fits = url.host && !OF_BROWSERS.includes(url.protocol) && !text.includes("*");
    return fits && origin === text.replace(/\/$/, "") ? "" : "is no origin: scheme, host and port, nothing behind them";
  }
  if (url.host.includes("*") || url.pathname.includes("*")) return "has a wildcard, but redirect URIs must match exactly";
  if (text.includes("#")) return "has a fragment (#…), which a redirect URI may not have";
  if (isWeb) return "";
  if (OF_BROWSERS.includes(url.protocol)) return "has a scheme to which browsers give a meaning of their own";
  return kind === "Native" || kind === "SPA" ? "" : "has a scheme of its own, which native and single-page applications alone may have";
}

function check(area) {
  const lines = area.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const wrong = lines.map((line) => [line, problem(line, area.dataset.uris)]).find(([, text]) => text);
  area.setCustomValidity(wrong ? `${wrong[0]} ${wrong[1]}.` : "");
  area.setAttribute("aria-invalid", String(Boolean(wrong)));
  const says = document.getElementById(`${area.id}-problem`);
  says.textContent = area.validationMessage;
}

for (const area of document.querySelectorAll("textarea[data-uris]")) {
  const says = document.createElement("p");
  says.className = "problem";
  says.id = `${area.id}-problem`;
  says.setAttribute("aria-live", "polite");
  area.after(says);
  area.setAttribute("aria-describedby", `${area.getAttribute("aria-describedby") ?? ""} ${says.id}`.trim());
  area.addEventListener("input", () => check(area));
}
