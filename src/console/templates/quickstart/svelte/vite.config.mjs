import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), "");
  const { hostname, port } = new URL(env.VITE_REDIRECT_URI);
  return {
    plugins: [svelte()],
    server: {
      host: hostname,
      port: Number(port) || 5173,
      strictPort: true,
      // The page calls the API below its own origin, so the API needs no CORS.
      proxy: env.API_URL ? { "/api": { target: env.API_URL, changeOrigin: true, rewrite: (path) => path.replace(/^\/api/, "") } } : {},
    },
  };
});
