import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the gateway listens during development; the dev server forwards everything that is not the client itself. */
const gatewayUrl = process.env['WATCHROOM_GATEWAY'] ?? 'http://127.0.0.1:3000'

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react()],
  // A second React would cost 45 kB and break every hook that crosses it.
  resolve: { dedupe: ['react', 'react-dom'] },
  // Blueprint reads a bare NODE_ENV for its development checks; undefined, they stay on in production.
  define: { NODE_ENV: JSON.stringify(mode) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      '/api': { target: gatewayUrl, changeOrigin: true },
      '/socket.io': { target: gatewayUrl, ws: true, changeOrigin: true },
    },
  },
}))
