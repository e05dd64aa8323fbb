import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { CanarySpecSchema, expandCanary } from '@watchroom/shared/health/check-types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { answerAt, type Behavior, noise, type Service } from '../../../../gateway/src/embedded-backend/demo/behavior.ts'
import { estateServices, harbourParcel } from '../../../../gateway/src/embedded-backend/demo/harbourParcel.ts'
import { largeCanaries, largeServices } from '../../../../gateway/src/embedded-backend/demo/largeCanaries.ts'
import type { CanarySeed } from '../../../../gateway/src/embedded-backend/demo/seedCanaries.ts'
import { selfCanaries } from '../../../../gateway/src/embedded-backend/demo/selfCanaries.ts'
import { selfTopology } from '../../../../gateway/src/embedded-backend/demo/selfTopology.ts'
import type { SystemCapabilities } from '../../../../gateway/src/embedded-backend/demo/systemCapabilities.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const startedAt = Date.parse('2026-01-01T12:00:00Z')

const buildService = (behavior: Behavior, seed = 5): Service => ({ behavior, usualMs: 100, seed })
const isUpAt = (behavior: Behavior, sinceStartMs: number, seed = 5): boolean =>
  answerAt(buildService(behavior, seed), startedAt + sinceStartMs, startedAt).isUp

describe('behavior', () => {
  it('is the same whenever it is asked', () => {
    const ask = (): unknown =>
      [...estateServices()].map(([path, service]) => [path, answerAt(service, startedAt + 1_234, startedAt)])
    expect(ask()).toEqual(ask())
  })

  it('recovering: is down for ten minutes before the start and up 40 s after it', () => {
    expect(
      [-11 * MINUTE, -9 * MINUTE, 0, 39 * SECOND, 40 * SECOND, 3_600 * SECOND].map((at) => isUpAt('recovering', at)),
    ).toEqual([true, false, false, false, true, true])
  })

  it('failing-later: fails from 70 s on, ten minutes of each half hour', () => {
    const at = (minutes: number): number => 70 * SECOND + minutes * MINUTE
    expect([-10, -1, 0, 9, 10, 29, 30, 41].map((minutes) => isUpAt('failing-later', at(minutes)))).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
      false,
      true,
    ])
  })

  it('failing: is down since half an hour before the start', () => {
    for (let seed = 0; seed < 20; seed++) {
      expect([-40 * MINUTE, -20 * MINUTE, 0, 3_600 * SECOND].map((at) => isUpAt('failing', at, seed))).toEqual([
        true,
        false,
        false,
        false,
      ])
    }
  })

  it('flapping: is down for about a third of the time, in stretches', () => {
    const states = Array.from({ length: 3_600 }, (_, second) => isUpAt('flapping', second * SECOND))
    const down = states.filter((isUp) => !isUp).length / states.length
    const changes = states.filter((isUp, index) => index > 0 && isUp !== states[index - 1]).length
    expect(down).toBeGreaterThan(0.2)
    expect(down).toBeLessThan(0.5)
    // 80 slots of 45 s in an hour; a change between two of them in 2 × 0.35 × 0.65 = 45 % of the cases, so about 36
    expect(changes).toBeGreaterThan(15)
    expect(changes).toBeLessThan(60)
  })

  it('steady: stays around its usual latency, with rare spikes', () => {
    const latencies = Array.from(
      { length: 3_600 },
      (_, second) => answerAt(buildService('steady'), startedAt + second * SECOND, startedAt).latencyMs,
    )
    const spikes = latencies.filter((ms) => ms > 121)
    expect(Math.min(...latencies)).toBeGreaterThanOrEqual(80)
    expect(spikes.length).toBeGreaterThan(10)
    expect(spikes.length).toBeLessThan(120)
  })

  it('drift: is slower at the end of its six hours than at their start', () => {
    const slow = answerAt(buildService('drift'), Date.parse('2026-01-01T05:59:00Z'), startedAt).latencyMs
    const quick = answerAt(buildService('drift'), Date.parse('2026-01-01T06:01:00Z'), startedAt).latencyMs
    expect(slow).toBeGreaterThan(1.5 * quick)
  })

  it('noise spreads evenly', () => {
    const values = Array.from({ length: 10_000 }, (_, slot) => noise(42, slot))
    const tenths = Array.from(
      { length: 10 },
      (_, tenth) => values.filter((value) => Math.floor(value * 10) === tenth).length,
    )
    expect(Math.min(...tenths)).toBeGreaterThan(850)
    expect(Math.max(...tenths)).toBeLessThan(1_150)
  })
})

describe('the seeds', () => {
  let directory: string
  let estate: CanarySeed[]
  let own: CanarySeed[]

  const buildOwn = (can: SystemCapabilities): CanarySeed[] =>
    selfCanaries({ publicUrl: 'http://127.0.0.1:3000', dataDirectory: directory, can })

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'watchroom-demo-'))
    estate = harbourParcel({ host: '127.0.0.1', port: 4_000 }, { dataDirectory: directory, can: { execute: true } })
    own = buildOwn({ ping: true, resolve: true, execute: true })
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it('are valid canaries', () => {
    for (const { name, spec } of [...estate, ...own, ...largeCanaries('http://127.0.0.1:4000').slice(0, 3)]) {
      expect({ name, ...CanarySpecSchema.safeParse(spec) }).toMatchObject({ name, success: true })
      expect({ name, problems: expandCanary(spec).problems }).toEqual({ name, problems: [] })
    }
  })

  it('of the estate are about 64 checks in six namespaces, all tagged as demo', () => {
    const checks = estate.flatMap(({ spec }) => expandCanary(spec).checks)
    expect(checks).toHaveLength(64)
    expect(new Set(estate.map(({ namespace }) => namespace))).toEqual(
      new Set(['storefront', 'tracking', 'payments', 'platform', 'edge-eu', 'edge-us']),
    )
    expect(estate.every(({ source, labels }) => source === 'demo' && labels['demo'] === 'true')).toBe(true)
    expect(new Set(checks.map(({ type }) => type))).toEqual(new Set(['http', 'tcp', 'exec', 'folder']))
  })

  it('of the estate point at services of the target', () => {
    const paths = estate.flatMap(({ spec }) => (spec.http ?? []).map(({ url }) => new URL(url ?? '').pathname))
    expect(paths.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      [...estateServices().keys()].toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })

  it('show something to a board that hides what passes, at each moment of the first hours', () => {
    const down = (minute: number): string[] =>
      [...estateServices()]
        .filter(([, service]) => !answerAt(service, startedAt + minute * MINUTE, startedAt).isUp)
        .map(([path]) => path)
    for (let minute = 0; minute < 300; minute++) {
      // The backup of the night jobs, an exec check, is the fourth.
      expect(down(minute).length).toBeGreaterThanOrEqual(3)
      expect(new Set(down(minute).map((path) => path.split('/')[1])).size).toBeGreaterThanOrEqual(3)
    }
  })

  it('of the product itself are at least ten checks of its own', () => {
    const checks = own.flatMap(({ spec }) => expandCanary(spec).checks)
    expect(checks.length).toBeGreaterThanOrEqual(15)
    expect(own.every(({ source, namespace }) => source === 'self' && namespace === 'self')).toBe(true)
    expect(checks.every(({ description }) => (description ?? '').length > 10)).toBe(true)
  })

  it('of the product itself are each part of a component', () => {
    const can = { ping: true, resolve: true }
    const parts = JSON.stringify(selfTopology({ can }).spec.components)
    const names = own.flatMap(({ spec }) => expandCanary(spec).checks.map(({ name }) => name))
    expect(names.filter((name) => !parts.includes(`"name":"${name}"`))).toEqual([])
  })

  it('ask a machine for nothing that it cannot do, and leave no part of the product and no story without a check', () => {
    const bound = harbourParcel(
      { host: '127.0.0.1', port: 4_000 },
      { dataDirectory: directory, can: { execute: false } },
    )
    const bare = buildOwn({ ping: false, resolve: false, execute: false })
    const checks = [...bare, ...bound].flatMap(({ spec }) => expandCanary(spec).checks)
    expect(checks.filter(({ type }) => ['exec', 'icmp', 'dns'].includes(type))).toEqual([])
    expect(checks.find(({ name }) => name === 'exec-no-op')).toMatchObject({ type: 'self' })
    expect(checks.find(({ name }) => name === 'backup')).toMatchObject({ type: 'folder' })
  })

  it('tell how to break and fix the one check that is there for it', () => {
    const [check] = estate.filter(({ name }) => name === 'break me').flatMap(({ spec }) => expandCanary(spec).checks)
    expect(check?.description).toContain(`touch '${join(directory, 'break-me', 'broken')}'`)
    expect(check?.description).toContain(`rm '${join(directory, 'break-me', 'broken')}'`)
  })

  it('of the large profile are 10,000 checks', () => {
    const seeds = largeCanaries('http://127.0.0.1:4000')
    const checks = seeds.flatMap(({ spec }) => [...(spec.self ?? []), ...(spec.http ?? [])])
    expect(checks).toHaveLength(10_000)
    expect(new Set(checks.map(({ name }) => name)).size).toBe(10_000)
    expect(largeServices().size).toBe(1_000)
  })
})
