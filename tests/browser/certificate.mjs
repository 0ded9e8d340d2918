// A certificate of localhost, which is of no authority, with its key: each as a file and as text.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const { BROWSER_SCRATCH } = process.env;
/** It signs nothing but itself: whoever trusts it trusts no other one. */
const CONFIGURATION = `[req]
distinguished_name = name
x509_extensions = own
prompt = no
[name]
CN = localhost
[own]
basicConstraints = critical, CA:FALSE
subjectAltName = DNS:localhost, IP:127.0.0.1
`;

export const makeCertificate = () => {
  const folder = mkdtempSync(join(BROWSER_SCRATCH, "certificate-"));
  const names = ["openssl.cnf", "key.pem", "certificate.pem"];
  const [configuration, keyFile, file] = names.map((name) => join(folder, name));
  writeFileSync(configuration, CONFIGURATION);
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const files = ["-config", configuration, "-keyout", keyFile, "-out", file];
  execFileSync("openssl", ["req", "-x509", ...kind, ...files], { stdio: "pipe" });
  return { keyFile, file, key: readFileSync(keyFile, "utf8"), certificate: readFileSync(file, "utf8") };
};
