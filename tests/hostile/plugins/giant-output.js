// expect: failed : answers megabytes
export const getCustomJwtClaims = () => {
  return { x: "x".repeat(4 << 20) };
};
