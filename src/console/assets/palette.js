// The palette (Ctrl K): one field that finds users, applications, plugins and pages.
const opener = document.querySelector("[data-palette]");
if (opener) {
  opener.hidden = false;
  opener.addEventListener("click", open);
}
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    open();
  }
});

function open() {
  if (document.querySelector(".palette[open]")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "palette";
  const field = Object.assign(document.createElement("input"), { className: "input", type: "search" });
  const list = document.createElement("div");
  field.placeholder = "Users, applications, plugins, pages …";
  field.setAttribute("aria-label", "Search everything");
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-expanded", "true");
  field.setAttribute("aria-controls", "palette-list");
  list.id = "palette-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Found");
  dialog.append(field, list);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();

  let turn = 0;
  let chosen = 0;
  const choose = (index) => {
    const options = [...list.children];
    chosen = Math.min(Math.max(index, 0), options.length - 1);
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    const option = options[chosen];
    field.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  };
  const find = async () => {
    const own = ++turn;
    // Below the path of the base URL, as the links are.
    const home = document.querySelector("a.home").getAttribute("href");
    const answer = await fetch(`${home}/search?${new URLSearchParams({ q: field.value })}`, { headers: { accept: "application/json" } });
    if (own !== turn || !answer.ok) return;
    const found = await answer.json();
    list.replaceChildren(...found.map(({ title, about, path }, at) => {
      const option = Object.assign(document.createElement("a"), { href: path, id: `palette-${at}`, tabIndex: -1 });
      option.setAttribute("role", "option");
      const [name, kind] = [document.createElement("span"), document.createElement("small")];
      name.textContent = title;
      kind.textContent = about;
      option.append(name, kind);
      return option;
    }));
    choose(0);
  };
  let rest;
  field.addEventListener("input", () => {
    clearTimeout(rest);
    rest = setTimeout(find, 120);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      list.children[chosen]?.click();
    }
  });
  find();
}
