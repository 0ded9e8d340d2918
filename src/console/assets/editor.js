// <code-editor> around a text field: colours, line numbers, marks at lines, and the keys that programs are written with.
// The text field stays what it is; without this script it works by itself.

// Longer texts are not coloured.
const MAX_COLOURED = 200 * 1024;
const PAIRS = { "(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "`": "`" };
const COMMENTS = { javascript: "//", typescript: "//", toml: "#" };
const script = document.querySelector("script[data-highlight]");
const { tokens, colour } = await import(script.dataset.highlight);

class CodeEditor extends HTMLElement {
  #field;
  #shown;
  #gutter;
  #lines = [];
  #mayLeave = false;

  connectedCallback() {
    if (this.#field) return;
    this.#field = this.querySelector("textarea");
    this.#gutter = Object.assign(document.createElement("div"), { className: "gutter" });
    this.#shown = Object.assign(document.createElement("pre"), { className: "shown" });
    for (const part of [this.#gutter, this.#shown]) part.setAttribute("aria-hidden", "true");
    this.prepend(this.#gutter, this.#shown);
    this.classList.add("ready");
    this.#field.addEventListener("input", () => this.draw());
    this.#field.addEventListener("scroll", () => this.#follow());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("blur", () => { this.#mayLeave = false; });
    new ResizeObserver(() => this.#follow()).observe(this.#field);
    this.draw();
    this.mark();
  }

  get language() {
    return document.querySelector("form[data-workbench] select[name=language]")?.value && this.dataset.part === "source"
      ? document.querySelector("form[data-workbench] select[name=language]").value
      : this.dataset.language;
  }

  get value() {
    return this.#field.value;
  }

  /** Another text, from elsewhere. */
  set value(text) {
    if (text === this.#field.value) return;
    this.#field.value = text;
    this.draw();
  }

  /** Draws what changed since the last time. */
  draw() {
    const text = this.#field.value;
    const isPlain = text.length > MAX_COLOURED;
    this.classList.toggle("plain", isPlain);
    const lines = isPlain ? [] : text.split("\n");
    let state = [];
    lines.forEach((line, number) => {
      const key = `${JSON.stringify(state)}${line}`;
      const before = this.#lines[number];
      if (before?.key === key) {
        state = before.end;
        return;
      }
      const made = tokens(this.language, line, state);
      const element = before?.element ?? this.#shown.appendChild(document.createElement("div"));
      colour(element, made.tokens.length ? made.tokens : [["", " "]]);
      this.#lines[number] = { key, end: made.state, element };
      state = made.state;
    });
    for (const { element } of this.#lines.splice(lines.length)) element.remove();
    const count = text.split("\n").length;
    while (this.#gutter.childElementCount > count) this.#gutter.lastElementChild.remove();
    while (this.#gutter.childElementCount < count) {
      const line = document.createElement("span");
      line.textContent = this.#gutter.childElementCount + 1;
      this.#gutter.append(line);
    }
    this.#follow();
  }

  #follow() {
    const { scrollTop, scrollLeft, offsetHeight } = this.#field;
    this.#shown.scrollTo(scrollLeft, scrollTop);
    this.#gutter.scrollTo(0, scrollTop);
    for (const part of [this.#shown, this.#gutter]) part.style.setProperty("block-size", `${offsetHeight}px`);
  }

  /** Marks the lines of what is wrong, as the list of problems says. */
  mark() {
    for (const line of this.#gutter.children) {
      line.classList.remove("wrong");
      line.removeAttribute("title");
    }
    for (const { element } of this.#lines) element?.classList.remove("wrong");
    const found = [...document.querySelectorAll(`#results [data-part="${this.dataset.part}"]`)];
    for (const problem of found) {
      const line = this.#gutter.children[problem.dataset.line - 1];
      line?.classList.add("wrong");
      line?.setAttribute("title", problem.querySelector("pre").textContent);
      this.#lines[problem.dataset.line - 1]?.element.classList.add("wrong");
    }
    this.#field.setAttribute("aria-invalid", String(found.length > 0));
  }

  /** Puts the caret at a place, from 1. */
  goTo(line, column = 1) {
    for (let part = this.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    const at = this.#field.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    this.#field.focus();
    this.#field.setSelectionRange(at, at);
  }

  /** Types a text in place of a range, so that the browser can undo it. */
  #type(start, end, text, from = start + text.length, to = from) {
    this.#field.setSelectionRange(start, end);
    const done = text ? document.execCommand("insertText", false, text) : start === end || document.execCommand("delete");
    if (!done) {
      this.#field.setRangeText(text, start, end);
      this.#field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    this.#field.setSelectionRange(from, to);
  }

  #key(event) {
    const { selectionStart: start, selectionEnd: end, value, readOnly } = this.#field;
    if (readOnly || event.isComposing) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      this.#mayLeave = true;
    } else if (event.key === "Tab" && !isControl && !event.altKey && !this.#mayLeave) {
      event.preventDefault();
      if (start === end && !event.shiftKey) this.#type(start, end, "  ");
      else this.#onLines((lines) => lines.map((line) => (event.shiftKey ? line.replace(/^ {1,2}/, "") : line && `  ${line}`)));
    } else if (isControl && event.key === "/") {
      event.preventDefault();
      const sign = COMMENTS[this.language];
      if (sign) this.#onLines((lines) => {
        const isOn = lines.every((line) => !line.trim() || line.trimStart().startsWith(sign));
        const off = new RegExp(`^(\\s*)${sign} ?`);
        return lines.map((line) => (!line.trim() ? line : isOn ? line.replace(off, "$1") : line.replace(/^(\s*)/, `$1${sign} `)));
      });
    } else if (event.key === "Enter" && !isControl && !event.shiftKey) {
      event.preventDefault();
      const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
      const space = line.match(/^\s*/)[0];
      const opens = /[{[(]$/.test(line.trimEnd());
      const closes = opens && /^[}\])]/.test(value.slice(end));
      const typed = `\n${space}${opens ? "  " : ""}`;
      this.#type(start, end, typed + (closes ? `\n${space}` : ""), start + typed.length);
    } else if (!isControl && !event.altKey) {
      this.#pair(event, start, end, value);
    }
  }

  #pair(event, start, end, value) {
    const { key } = event;
    const [before, after] = [value[start - 1] ?? "", value[end] ?? ""];
    const isQuote = PAIRS[key] === key;
    if (start === end && after === key && Object.values(PAIRS).includes(key)) {
      event.preventDefault();
      this.#field.setSelectionRange(start + 1, start + 1);
    } else if (PAIRS[key] && (start !== end || (/^[\s)\]},;]?$/.test(after) && !(isQuote && /[\w"'`]/.test(before))))) {
      event.preventDefault();
      this.#type(start, end, key + value.slice(start, end) + PAIRS[key], start + 1, end + 1);
    } else if (key === "Backspace" && start === end && before && PAIRS[before] === after) {
      event.preventDefault();
      this.#type(start - 1, start + 1, "");
    }
  }

  /** Changes the lines that are selected. */
  #onLines(change) {
    const { selectionStart, selectionEnd, value } = this.#field;
    const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
    const next = value.indexOf("\n", Math.max(selectionEnd - 1, selectionStart));
    const end = next < 0 ? value.length : next;
    const text = change(value.slice(start, end).split("\n")).join("\n");
    this.#type(start, end, text, start, start + text.length);
  }
}
customElements.define("code-editor", CodeEditor);

// Texts that are read and not written.
function paint(part) {
  for (const block of part.querySelectorAll("pre[data-code] > code")) {
    const text = block.textContent;
    if (text.length > MAX_COLOURED || block.dataset.painted) continue;
    block.dataset.painted = "true";
    let state = [];
    const all = text.split("\n").flatMap((line, number) => {
      const made = tokens(block.parentElement.dataset.code, line, state);
      state = made.state;
      return number ? [["", "\n"], ...made.tokens] : made.tokens;
    });
    colour(block, all);
  }
}
paint(document);
document.addEventListener("console:prepared", (event) => paint(event.target));
