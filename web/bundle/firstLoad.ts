import { gzipSync } from 'node:zlib'

import type { Plugin } from 'vite'

import { FIRST_SCREEN } from './files.ts'

/** Gzipped bytes of JavaScript that `/health` may load by itself: three quarters of a second on a slow phone. */
const FIRST_LOAD_LIMIT = 230_000

/** Fails a build whose first screen loads too much. */
export const firstLoad: Plugin = {
  name: 'watchroom:first-load',
  apply: 'build',
  // After Vite, which writes into each chunk what else it loads.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])),
      )
      const loaded = new Set<string>()
      const load = (fileName: string): void => {
        if (loaded.has(fileName)) return
        loaded.add(fileName)
        for (const imported of chunks.get(fileName)?.imports ?? []) load(imported)
      }
      for (const { fileName, isEntry, moduleIds } of chunks.values()) {
        if (isEntry || moduleIds.some((id) => FIRST_SCREEN.includes(id))) load(fileName)
      }
      const sizes = [...loaded].map((fileName) => gzipSync(chunks.get(fileName)?.code ?? '', { level: 9 }).length)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      const text = `/health loads ${bytes} bytes of JavaScript (gzip, ${loaded.size} files) unasked`
      if (bytes > FIRST_LOAD_LIMIT) this.error(`${text}; ${FIRST_LOAD_LIMIT} may be.`)
      this.info(`${text}.`)
    },
  },
}
