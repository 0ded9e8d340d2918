// Lists that grow while one looks at them: an element with data-live="URL" gets the events of that URL as lines. With
// data-live-link="PATH", each line leads to that path with the id of its event behind it. What is folded away is not
// asked for before it is opened.

// As many lines as are kept on a page.
const MAX_LINES = 500;

function follow(list) {
  const source = new EventSource(list.dataset.live);
  source.addEventListener("message", (event) => {
    const line = document.createElement(list.matches("ul, ol") ? "li" : "div");
    const text = list.dataset.liveLink ? document.createElement("a") : line;
    if (text !== line) {
      text.href = list.dataset.liveLink + encodeURIComponent(event.lastEventId);
      line.append(text);
    }
    text.textContent = event.data;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    list.append(line);
    while (list.childElementCount > MAX_LINES) list.firstElementChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  });
  addEventListener("pagehide", () => source.close());
}

for (const list of document.querySelectorAll("[data-live]")) {
  list.setAttribute("aria-live", "polite");
  const folded = list.closest("details:not([open])");
  if (folded) folded.addEventListener("toggle", () => follow(list), { once: true });
  else follow(list);
}
