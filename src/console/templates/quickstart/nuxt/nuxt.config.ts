const local = new URL(process.env.REDIRECT_URI ?? "http://localhost:3000/");

export default defineNuxtConfig({
  compatibilityDate: "2025-07-01",
  devServer: { host: local.hostname, port: Number(local.port) || 3000 },
});
