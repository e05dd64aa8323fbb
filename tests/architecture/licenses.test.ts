import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { listFiles, readText } from './sources.ts'

const ofClient = readText('scripts/lib/licenses/web.md')
const PackageSchema = z.object({ devDependencies: z.record(z.string(), z.string()) })

describe('licenses of copied code', () => {
  it('names each package whose modules stand in the worker of monaco-yaml, in its version', () => {
    const worker = readText('node_modules/monaco-yaml/yaml.worker.js')
    const copied = [...worker.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name = '']) => name)
    const { devDependencies } = PackageSchema.parse(JSON.parse(readText('node_modules/monaco-yaml/package.json')))
    expect(new Set(copied).size).toBeGreaterThan(1)
    expect([...new Set(copied)].filter((name) => !ofClient.includes(`\n## ${name} - `))).toEqual([])
    expect(ofClient).toContain(`## yaml-language-server - ${devDependencies['yaml-language-server']} (MIT)`)
  })

  it('names what the list of passwords is made of, in its version', () => {
    const [file = ''] = listFiles('gateway/src/embedded-backend/identity', /\/commonPasswords\.ts$/)
    const [, name, version] = /from (@\S+) (\d+\.\d+\.\d+)\./.exec(readText(file)) ?? []
    expect(readText('scripts/lib/licenses/gateway.md')).toContain(`## ${name} - ${version} (MIT)`)
  })
})
