import { CheckSummarySchema } from '@watchroom/shared/health'
import type { DodVerdict } from '@watchroom/shared/incidents'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { buildSummary } from '#support/liveGateway.ts'
import { ManualFeed } from '#support/liveWorld.ts'

import type { DefinitionOfDone, DodItem } from '../../../gateway/src/definition-of-done/contract.ts'
import { createDefinitionOfDone } from '../../../gateway/src/definition-of-done/createDefinitionOfDone.ts'
import type { Subject } from '../../../gateway/src/definition-of-done/evaluateScript.ts'
import type { WantedSubjects } from '../../../gateway/src/definition-of-done/subjectRows.ts'

const INCIDENT = 'i1'
const MINUTE = 60_000
const STABLE = `check.status == 'healthy' && check.age > duration('5m')`

let clock: FakeClock
let checks: ManualFeed<ReturnType<typeof buildCheckRow>>
let rows: Map<string, Subject>
let wanted: WantedSubjects[]
let readFailure: Error | null
let readRows: () => Promise<Map<string, Subject>>
let items: DodItem[]
let written: [string, boolean][]
let changed: () => void
let dod: DefinitionOfDone
let read: { rows: readonly DodVerdict[]; asOf: number }[]
let unwatch: () => void

const buildCheckRow = (status: string, sinceMs: number) =>
  CheckSummarySchema.parse(
    buildSummary(1, () => ({ status, last_transition_time: new Date(clock.now() - sinceMs).toISOString() }))[0],
  )
const CHECK_ID = '00000000-0000-4000-8000-000000000000'
const buildItem = (overrides: Partial<DodItem> = {}): DodItem => ({
  id: 'e1',
  script: STABLE,
  done: null,
  checkId: CHECK_ID,
  componentId: null,
  configId: null,
  analysisId: null,
  ...overrides,
})
const publish = (status: string, sinceMs: number): void =>
  checks.publish({ kind: 'all', asOf: clock.now(), droppedRows: 0, rows: [buildCheckRow(status, sinceMs)] })
const last = (): DodVerdict | undefined => read.at(-1)?.rows[0]

/** As the document does: what is written comes back as a change. */
const setDone = async (id: string, done: boolean): Promise<void> => {
  written.push([id, done])
  items = items.map((item) => (item.id === id ? { ...item, done } : item))
  changed()
}

beforeEach(() => {
  clock = new FakeClock()
  checks = new ManualFeed()
  rows = new Map()
  wanted = []
  readFailure = null
  readRows = async () => rows
  items = [buildItem()]
  written = []
  read = []
  dod = createDefinitionOfDone({
    checks,
    rows: {
      read: async (ids) => {
        wanted.push(ids)
        if (readFailure) throw readFailure
        return readRows()
      },
    },
    clock,
    logger: pino({ level: 'silent' }),
  })
  dod.feed(INCIDENT).listen({
    onRead: (result) => read.push({ rows: result.rows, asOf: result.asOf }),
    onProblem: () => undefined,
  })
  unwatch = dod.watch({
    id: INCIDENT,
    items: () => items,
    onChange: (listener) => {
      changed = listener
      return () => (changed = () => undefined)
    },
    setDone,
  })
  return () => dod.close()
})

describe('an item about a check', () => {
  it('shows its ring, is written as done at the moment its hold is over, and taken back when the check fails', async () => {
    publish('healthy', 3 * MINUTE)
    await clock.advance(100)
    expect(last()).toMatchObject({
      id: 'e1',
      done: false,
      holdMs: 5 * MINUTE,
      holdsSince: clock.now() - 3 * MINUTE - 100,
    })
    expect(written).toEqual([['e1', false]])
    await clock.advance(2 * MINUTE)
    expect(last()).toMatchObject({ done: true })
    expect(written).toEqual([
      ['e1', false],
      ['e1', true],
    ])
    publish('unhealthy', 0)
    await clock.advance(100)
    expect(last()).toMatchObject({ done: false, holdsSince: null })
    publish('healthy', 0)
    await clock.advance(100)
    expect(last()).toMatchObject({ done: false, holdsSince: expect.any(Number), holdMs: 5 * MINUTE })
    expect(written.slice(2)).toEqual([['e1', false]])
  })

  it('cannot be told while the check is unknown, and then nothing is written', async () => {
    await clock.advance(100)
    expect(last()).toMatchObject({ done: null, error: 'nothing is known of the check' })
    expect(written).toEqual([])
  })

  it('is not done by what a silent agent said last, and keeps its verdict', async () => {
    publish('healthy', 3 * MINUTE)
    await clock.advance(100)
    const silent = { ...buildCheckRow('healthy', 3 * MINUTE), unknown_since: new Date(clock.now()).toISOString() }
    checks.publish({ kind: 'all', asOf: clock.now(), droppedRows: 0, rows: [silent] })
    await clock.advance(10 * MINUTE)
    expect(last()).toMatchObject({ done: null, error: 'nothing is known of the check' })
    expect(written).toEqual([['e1', false]])
  })

  it('does not come of age while the board cannot be read', async () => {
    publish('healthy', 3 * MINUTE)
    await clock.advance(100)
    checks.fail({ code: 'POLLING_UPSTREAM_UNAVAILABLE', message: 'away', consecutiveFailures: 1, nextAttemptAt: null })
    await clock.advance(10 * MINUTE)
    expect(written).toEqual([['e1', false]])
    publish('healthy', 13 * MINUTE)
    await clock.advance(100)
    expect(written.at(-1)).toEqual(['e1', true])
  })

  it('has the board read at its full rate only while there is such an item', async () => {
    await clock.advance(100)
    expect(checks.watchers).toBe(1)
    items = [buildItem({ checkId: null, script: 'true' })]
    changed()
    await clock.advance(200)
    expect(checks.watchers).toBe(0)
  })
})

describe('an item about something else', () => {
  it('reads its rows every 5 s, keeps them while the backend is away, and follows them', async () => {
    items = [buildItem({ checkId: null, componentId: 'k1', script: `component.status == 'healthy'` })]
    const component = { name: 'printer', type: '', health: '', severity: '', labels: {}, since: null }
    rows = new Map([['k1', { ...component, id: 'k1', status: 'unhealthy' }]])
    changed()
    await clock.advance(300)
    expect(wanted.at(-1)).toEqual({ component: ['k1'], config: [], analysis: [] })
    expect(last()).toMatchObject({ done: false })
    readFailure = new Error('backend away')
    await clock.advance(6_000)
    expect(last()).toMatchObject({ done: false, error: null })
    readFailure = null
    rows = new Map([['k1', { ...component, id: 'k1', status: 'healthy' }]])
    await clock.advance(6_000)
    expect(last()).toMatchObject({ done: true })
    expect(written.at(-1)).toEqual(['e1', true])
  })
})

describe('rows that are read while the items change', () => {
  it('are those of the newest items, whichever answer comes last', async () => {
    const component = {
      name: 'printer',
      type: '',
      health: '',
      severity: '',
      labels: {},
      since: null,
      status: 'healthy',
    }
    const answers: ((rows: Map<string, Subject>) => void)[] = []
    readRows = () => new Promise((resolve) => answers.push(resolve))
    const about = (componentId: string): DodItem =>
      buildItem({ checkId: null, componentId, script: `component.status == 'healthy'` })
    items = [about('k1')]
    changed()
    await clock.advance(100)
    items = [about('k2')]
    changed()
    await clock.advance(100)
    expect(answers).toHaveLength(2)
    answers[1]?.(new Map([['k2', { ...component, id: 'k2' }]]))
    await clock.advance(0)
    answers[0]?.(new Map([['k1', { ...component, id: 'k1' }]]))
    await clock.advance(100)
    expect(last()).toMatchObject({ done: true, error: null })
  })

  it('do not come of age while the backend is away', async () => {
    const script = `component.status == 'healthy' && component.age > duration('5m')`
    items = [buildItem({ checkId: null, componentId: 'k1', script })]
    const since = clock.now() - 3 * MINUTE
    const subject = {
      id: 'k1',
      name: 'printer',
      type: '',
      health: '',
      severity: '',
      labels: {},
      since,
      status: 'healthy',
    }
    rows = new Map([['k1', subject]])
    changed()
    await clock.advance(300)
    readFailure = new Error('backend away')
    await clock.advance(10 * MINUTE)
    expect(written).toEqual([['e1', false]])
    readFailure = null
    await clock.advance(6_000)
    expect(written.at(-1)).toEqual(['e1', true])
  })
})

describe('readers', () => {
  it('hear that someone still looks, at least every 5 s', async () => {
    publish('healthy', 0)
    await clock.advance(100)
    const before = read.length
    await clock.advance(16_000)
    expect(read.length - before).toBeGreaterThanOrEqual(3)
    expect(clock.now() - (read.at(-1)?.asOf ?? 0)).toBeLessThanOrEqual(5_000)
  })

  it('who come later see the last verdicts at once; nothing is known of an incident that nobody has open', async () => {
    publish('healthy', 6 * MINUTE)
    await clock.advance(100)
    const late: (readonly DodVerdict[])[] = []
    const listener = {
      onRead: (result: { rows: readonly DodVerdict[] }) => void late.push(result.rows),
      onProblem: () => undefined,
    }
    dod.feed(INCIDENT).listen(listener)
    dod.feed('i2').listen(listener)
    expect(late.map((list) => list.length)).toEqual([1, 0])
    unwatch()
    dod.close()
    expect(clock.pending).toBe(0)
    expect(checks.watchers).toBe(0)
  })

  it('see what is new when the document changes, and nothing is evaluated for letters', async () => {
    publish('healthy', 6 * MINUTE)
    await clock.advance(1_000)
    const before = read.length
    for (let letter = 0; letter < 20; letter++) {
      changed()
      await clock.advance(10)
    }
    expect(read.length).toBe(before)
    items = [...items, buildItem({ id: 'e2', script: 'check.status ==' })]
    changed()
    await clock.advance(200)
    expect(read.at(-1)?.rows.map(({ id, done }) => [id, done])).toEqual([
      ['e1', true],
      ['e2', null],
    ])
  })
})
