// expect: failed : calls itself without end
export const getCustomJwtClaims = () => {
  const dive = (depth) => dive(depth + 1) + 1;
  return { depth: dive(0) };
};
