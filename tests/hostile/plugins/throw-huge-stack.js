// expect: failed : an error whose stack was made up
export const getCustomJwtClaims = () => {
  const error = new Error("short");
  error.stack = "    at x (/plugin.js:4294967296:99999999999999)\n".repeat(100000);
  throw error;
};
