// expect: failed : keeps megabytes until there are no more
export const getCustomJwtClaims = () => {
  const kept = [];
  for (;;) kept.push(new Uint8Array(1 << 20).fill(1));
};
