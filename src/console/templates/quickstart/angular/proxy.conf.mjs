// The page calls the API below its own origin, so the API needs no CORS.
import { readFileSync } from "node:fs";

const { apiUrl } = JSON.parse(readFileSync("src/environment.json", "utf8"));

export default apiUrl
  ? { "/api": { target: apiUrl, changeOrigin: true, rewrite: (path) => path.replace(/^\/api/, "") } }
  : {};
