import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import {
  completeLicenses,
  createWorkerModules,
  installedPackage,
  packageFolders,
} from './licenses/completeLicenses.mjs'
import { ROOT } from './process.mjs'

const SHARED_SOURCES = ['shared/src', 'scripts/lib/build.mjs', 'scripts/lib/licenses', 'package-lock.json']
/** Each is built when one of its sources changed since its last build, which its stamp remembers. */
const GATEWAY = {
  name: 'gateway',
  folder: `${ROOT}gateway/dist`,
  sources: [...SHARED_SOURCES, 'gateway/src'],
  build: buildGateway,
}
const WEB = {
  name: 'web client',
  folder: `${ROOT}web/dist`,
  sources: [...SHARED_SOURCES, 'web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'web/bundle'],
  build: buildWeb,
}
const STAMP = '.build-stamp'
/** Below this the headers weigh more than what is saved. */
const MIN_COMPRESSED_BYTES = 256
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.md', '.svg', '.txt', '.webmanifest'])
/** Licenses of the packages whose code is in a build, as they require. */
const LICENSES = { fileName: 'third-party-licenses.md' }
/** Monaco brings these as files of its own. */
const COPIED_INTO_MONACO = ['dompurify', 'marked']

/** Whether no source changed since the last build. */
export const isBuilt = () => [GATEWAY, WEB].every((part) => isCurrent(part))

/** Builds gateway and web client when any source changed since the last build. Returns whether it built. */
export async function buildIfStale() {
  const parts = []
  for (const part of [GATEWAY, WEB]) parts.push(await buildPart(part))
  return parts.includes(true)
}

/** Builds the programs of the gateway alone. Returns whether it built. */
export const buildGatewayIfStale = () => buildPart(GATEWAY)

function isCurrent({ folder, sources }, wanted = fingerprint(sources)) {
  const stamp = join(folder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
}

async function buildPart(part) {
  const wanted = fingerprint(part.sources)
  if (isCurrent(part, wanted)) return false
  process.stdout.write(`Building the ${part.name} …\n`)
  const made = `${ROOT}.build/${part.name.replace(' ', '-')}-${process.pid}`
  const nodeEnv = process.env.NODE_ENV
  const { build } = await import('vite')
  await part.build(build, made)
  // Vite leaves `production` behind, and what this process starts next, tests for example, would inherit it.
  if (nodeEnv === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = nodeEnv
  writeFileSync(join(made, STAMP), wanted)
  putInPlace(made, part.folder)
  return true
}

/** Whole or not at all: someone else may build in the same clone, and start what is there, at this moment. */
function putInPlace(made, folder) {
  for (let attempt = 1; ; attempt += 1) {
    rmSync(folder, { recursive: true, force: true })
    try {
      renameSync(made, folder)
      return
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

async function buildGateway(build, outDir) {
  await build(gatewayConfig(outDir))
  completeLicenses(join(outDir, LICENSES.fileName), [], [`${ROOT}scripts/lib/licenses/gateway.md`])
  cpSync(`${ROOT}gateway/src/embedded-backend/schema/migrations`, `${outDir}/migrations`, { recursive: true })
}

async function buildWeb(build, outDir) {
  const configFile = `${ROOT}web/vite.config.ts`
  const workers = createWorkerModules()
  const worker = { plugins: () => [workers.plugin] }
  await build({ root: `${ROOT}web`, configFile, logLevel: 'warn', worker, build: { outDir, license: LICENSES } })
  const ofWorkers = packageFolders(workers.ids)
  if (ofWorkers.length === 0) throw new Error('Vite no longer says which packages are in the workers')
  const notices = [`${ROOT}scripts/lib/licenses/web.md`, `${installedPackage('monaco-editor')}/ThirdPartyNotices.txt`]
  const folders = [...ofWorkers, ...COPIED_INTO_MONACO.map((name) => installedPackage(name))]
  completeLicenses(join(outDir, LICENSES.fileName), folders, notices)
  await compressAssets(outDir)
}

/** Packages that stay as they are: native code, or workers and files that they look for beside themselves. */
const UNBUNDLED = ['@node-rs/argon2', 'bufferutil', 'cpu-features', 'pg-native', 'pino', 'ssh2', 'utf-8-validate']

/** One flat folder: code that finds its files beside `import.meta.url` must not land in a subfolder. */
function gatewayConfig(outDir) {
  return {
    root: `${ROOT}gateway`,
    configFile: false,
    logLevel: 'warn',
    // As later versions of Node have it. Without it `pg` tries `Response` to find out where it runs, which makes each start load `fetch`.
    define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
    // Packages too: a start reads a few files instead of two thousand.
    ssr: { noExternal: true, external: UNBUNDLED },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      license: LICENSES,
      sourcemap: true,
      rollupOptions: {
        // An optional part of the sketches, which nobody uses here.
        external: ['protobufjs/minimal'],
        input: {
          main: `${ROOT}gateway/src/main.ts`,
          'embedded-backend': `${ROOT}gateway/src/embedded-backend/main.ts`,
          agent: `${ROOT}gateway/src/agent/main.ts`,
          'expression-process': `${ROOT}gateway/src/check-runner/expressionProcess.ts`,
          'mask-process': `${ROOT}gateway/src/embedded-backend/catalog/run/maskProcess.ts`,
          'parse-process': `${ROOT}gateway/src/embedded-backend/catalog/families/parseProcess.ts`,
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}

function fingerprint(sources) {
  const hash = createHash('sha256').update(process.version)
  for (const source of sources)
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
      .filter((file) => COMPRESSIBLE.has(extname(file)) && statSync(file).size > MIN_COMPRESSED_BYTES)
      .map(async (file) => {
        const content = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
        writeFileSync(`${file}.br`, await brotli(content, { params }))
        writeFileSync(`${file}.gz`, await zip(content, { level: 9 }))
      }),
  )
}
