// expect: failed : joins a million pieces again and again
export const getCustomJwtClaims = () => {
  for (;;) {
    let text = "";
    for (let at = 0; at < 1000000; at += 1) text += at;
    if (text.indexOf("never") > 0) return {};
  }
};
