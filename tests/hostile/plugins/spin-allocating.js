// expect: failed : runs without end and keeps the collector busy
export const getCustomJwtClaims = () => {
  for (;;) [{}].map((x) => ({ x }));
};
