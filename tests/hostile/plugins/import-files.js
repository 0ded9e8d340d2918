// expect: failed : imports a file of the machine
export const getCustomJwtClaims = async () => {
  return { text: (await import("/etc/passwd")).default };
};
