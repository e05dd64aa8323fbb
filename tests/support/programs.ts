// How the programs of the gateway are started as processes of their own.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Set while gateway/dist is what the sources say (setup/buildPrograms.ts); otherwise the sources themselves are run. */
export const BUILT_VARIABLE = 'WATCHROOM_TEST_BUILT'

const GATEWAY = new URL('../../gateway/', import.meta.url)
const SOURCES = { main: 'main', agent: 'agent/main', 'embedded-backend': 'embedded-backend/main' } as const

/** Arguments of Node that run this program. */
export function programArguments(name: keyof typeof SOURCES): string[] {
  if (process.env[BUILT_VARIABLE] !== undefined) return [fileURLToPath(new URL(`dist/${name}.js`, GATEWAY))]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', tsx, fileURLToPath(new URL(`src/${SOURCES[name]}.ts`, GATEWAY))]
}
