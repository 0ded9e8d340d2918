// expect: failed : a text that doubles until nothing holds it
export const getCustomJwtClaims = () => {
  let text = "x";
  for (;;) text += text;
};
