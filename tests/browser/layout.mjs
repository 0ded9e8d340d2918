// What a page says of itself, and what is wider than the window, if anything is. It runs in the page.

export const describe = () => {
  const root = document.documentElement;
  const isOut = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return right > root.clientWidth + 1 || left < -1;
  };
  const overflow = root.scrollWidth - root.clientWidth;
  const wide = overflow > 0 ? [...document.querySelectorAll("main *")].filter(isOut) : [];
  return {
    language: root.lang,
    direction: root.dir,
    title: document.title,
    headings: document.querySelectorAll("h1").length,
    overflow,
    wide: wide.map((element) => element.outerHTML.slice(0, 120)),
  };
};
