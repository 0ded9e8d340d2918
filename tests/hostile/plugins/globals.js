// expect: issued : changes everything that it finds
export const getCustomJwtClaims = () => {
  JSON.parse = () => ({});
  Object.prototype.polluted = "yes";
  Array.prototype.map = () => [];
  globalThis.getCustomJwtClaims = () => ({ a: 1 });
  Object.freeze(Object.prototype);
  return { a: 1 };
};
