import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

import { fileOf, isOnFirstScreen, modulesOfScreens, SHARED_FILES } from './bundle/files.ts'
import { firstLoad } from './bundle/firstLoad.ts'
import { lighterPackages } from './bundle/lighterPackages.ts'
import { compiledWhileArriving, pagesOfAddresses } from './bundle/pages.ts'
import { themeAtHand } from './bundle/scriptsAtHand.ts'

/** Where the gateway listens during development; the dev server forwards everything that is not the client itself. */
const gatewayUrl = process.env['WATCHROOM_GATEWAY'] ?? 'http://127.0.0.1:3000'

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    ...lighterPackages,
    themeAtHand(),
    compiledWhileArriving,
    modulesOfScreens,
    firstLoad,
    pagesOfAddresses,
  ],
  resolve: {
    // A second React would cost 45 kB and break every hook that crosses it.
    dedupe: ['react', 'react-dom'],
    // monaco-yaml 5.5.1 names Monaco's files as they were before 0.56.
    alias: [{ find: /^monaco-editor\/esm\/vs\/(.*)$/, replacement: 'monaco-editor/$1' }],
  },
  worker: { format: 'es' },
  // Else the first visit of an editor in development reloads the page.
  optimizeDeps: { include: ['monaco-yaml', 'monaco-yaml/yaml.worker', 'monaco-editor/editor'] },
  // Blueprint reads a bare NODE_ENV for its development checks; undefined, they stay on in production.
  define: { NODE_ENV: JSON.stringify(mode) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // What a part needs is named where it is asked for. In the first load that is long: only what people wait for the longest.
    modulePreload: {
      // A browser that does not know it loads the same files a little later.
      polyfill: false,
      resolveDependencies: (part, needs, { hostId }) =>
        !/\/(?:index|screens|HealthPage)-/.test(hostId) || /IncidentScreen|CheckPanel/.test(part)
          ? needs
          : needs.filter((file) => file.endsWith('.css')),
    },
    // A data: URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Kilobytes. The editor is one chunk of more than three megabytes, loaded where text is edited and nowhere else.
    chunkSizeWarningLimit: 4_500,
    // Modules of `shared` and of Engine.IO only define things: what a page does not use may go.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [{ test: /\/shared\/src\/|\/engine\.io-client\/build\/esm\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          // A few large files instead of sixty small ones: they compress better together, and each costs a request.
          groups: [
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'screens', test: isOnFirstScreen, minShareCount: 2, priority: 1 },
            { name: 'BoardTools', test: /health-board\/components\/(?:FilterPanel|RefreshRate)\.tsx$/ },
            ...SHARED_FILES.map((name) => ({ name, test: (id: string) => fileOf(id) === name })),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      // The gateway compares Origin with Host, so both have to stay the browser's.
      '/api': { target: gatewayUrl },
      '/gateway': { target: gatewayUrl },
      '/socket.io': { target: gatewayUrl, ws: true },
      '/collab': { target: gatewayUrl, ws: true },
    },
  },
}))
