// expect: failed : an answer with a new name for every question
export const getCustomJwtClaims = () => {
  let at = 0;
  return new Proxy({}, { ownKeys: () => Array.from({ length: 100000 }, () => `k${(at += 1)}`), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: at }) });
};
