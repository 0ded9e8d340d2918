// expect: failed : each promise makes two more
export const getCustomJwtClaims = async () => {
  const breed = () => Promise.resolve().then(() => { breed(); breed(); });
  breed();
  await new Promise(() => {});
};
