import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the gateway listens during development; the dev server forwards everything that is not the client itself. */
const gatewayUrl = process.env['WATCHROOM_GATEWAY'] ?? 'http://127.0.0.1:3000'

/**
 * Takes Blueprint's loader of icons by name out of the build: it brings the table of all names and two chunks of 100 kB.
 * Ours are imported one by one; an icon given as a string shows nothing and says so in the console.
 */
const withoutIconLoader: Plugin = {
  name: 'watchroom:without-icon-loader',
  apply: 'build',
  load(id) {
    if (!id.endsWith('@blueprintjs/icons/lib/esm/iconLoader.js')) return null
    return `export class Icons {
      static getPaths() { return undefined }
      static async load(icon) { console.error('icon given as a string: ' + icon) }
    }`
  },
}

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), withoutIconLoader],
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
    // Modules of `shared` only define things: what a page does not use may go.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /\/shared\/src\//, sideEffects: false }] } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      // The gateway compares Origin with Host, so both have to stay the browser's.
      '/api': { target: gatewayUrl },
      '/socket.io': { target: gatewayUrl, ws: true },
      '/collab': { target: gatewayUrl, ws: true },
    },
  },
}))
