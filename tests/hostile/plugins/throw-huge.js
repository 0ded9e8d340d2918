// expect: failed : an error with a message of megabytes
export const getCustomJwtClaims = () => {
  throw new Error("m".repeat(8 << 20));
};
