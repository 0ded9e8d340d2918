// expect: failed : spreads what never ends
export const getCustomJwtClaims = () => {
  return { a: [...(function* () { for (;;) yield 1; })()] };
};
