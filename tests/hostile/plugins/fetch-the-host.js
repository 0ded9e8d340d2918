// expect: issued : asks for addresses of the machine and its neighbours
export const getCustomJwtClaims = async () => {
  const answers = [];
  for (const url of ["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/", "http://0/", "file:///etc/passwd"]) {
    answers.push(await fetch(url).then(() => "answered", () => "refused"));
  }
  if (answers.includes("answered")) throw new Error("it got out");
  return { answers };
};
