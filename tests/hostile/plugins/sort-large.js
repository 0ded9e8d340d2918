// expect: failed : sorts a large array by chance
export const getCustomJwtClaims = () => {
  const all = Array.from({ length: 1 << 20 }, (_, at) => (at * 2654435761) >>> 0);
  for (;;) all.slice().sort(() => Math.random() - 0.5);
};
