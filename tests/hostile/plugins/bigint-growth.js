// expect: failed : squares a number until nothing holds it
export const getCustomJwtClaims = () => {
  let n = 3n;
  for (;;) n *= n;
};
