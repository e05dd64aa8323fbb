import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { ROOT } from './process.mjs'

const STAMP = `${ROOT}gateway/dist/.build-stamp`
const SOURCES = [
  'shared/src',
  'gateway/src',
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'scripts/lib/build.mjs',
  'package-lock.json',
]
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest'])

/** Builds gateway and web client when any source changed since the last build. Returns whether it built. */
export async function buildIfStale() {
  const wanted = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return false
  process.stdout.write('Building …\n')
  const nodeEnv = process.env.NODE_ENV
  const { build } = await import('vite')
  rmSync(`${ROOT}gateway/dist`, { recursive: true, force: true })
  await build(gatewayConfig())
  cpSync(`${ROOT}gateway/src/embedded-backend/schema/migrations`, `${ROOT}gateway/dist/migrations`, { recursive: true })
  await build({ root: `${ROOT}web`, configFile: `${ROOT}web/vite.config.ts`, logLevel: 'warn' })
  await compressAssets(`${ROOT}web/dist`)
  // Vite leaves `production` behind, and what this process starts next, tests for example, would inherit it.
  if (nodeEnv === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = nodeEnv
  mkdirSync(`${ROOT}gateway/dist`, { recursive: true })
  writeFileSync(STAMP, wanted)
  return true
}

/** One flat folder: code that finds its files beside `import.meta.url` must not land in a subfolder. */
function gatewayConfig() {
  return {
    root: `${ROOT}gateway`,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: ['@watchroom/shared'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: 'dist',
      sourcemap: true,
      rollupOptions: {
        input: {
          main: `${ROOT}gateway/src/main.ts`,
          'embedded-backend': `${ROOT}gateway/src/embedded-backend/main.ts`,
          agent: `${ROOT}gateway/src/agent/main.ts`,
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}

function fingerprint() {
  const hash = createHash('sha256').update(process.version)
  for (const source of SOURCES)
    for (const file of filesBelow(`${ROOT}${source}`)) hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}

/** Compressed once here, so that the gateway never spends time on it: brotli for browsers, gzip for old proxies. */
async function compressAssets(folder) {
  const brotli = promisify(brotliCompress)
  const zip = promisify(gzip)
  await Promise.all(
    filesBelow(folder)
      .filter((file) => COMPRESSIBLE.has(extname(file)) && statSync(file).size > 1024)
      .map(async (file) => {
        const content = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        writeFileSync(`${file}.br`, await brotli(content, { params }))
        writeFileSync(`${file}.gz`, await zip(content, { level: 9 }))
      }),
  )
}
