// expect: failed : throws what answers every question with another throw
export const getCustomJwtClaims = () => {
  throw new Proxy(class extends Error {}, { get: () => { throw new Error("no"); }, getPrototypeOf: () => { throw new Error("no"); } });
};
