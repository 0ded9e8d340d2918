// expect: issued : writes megabytes into its log
export const getCustomJwtClaims = () => {
  for (let at = 0; at < 100; at += 1) console.error("x".repeat(1 << 16));
  return {};
};
