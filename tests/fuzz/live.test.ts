// Seeded model check of live topics (suite C12): random publishing, loss, duplication, reordering, slow sockets, restarts and
// resumes, against the real hub, sessions, reducer and client. Time, the wire and the source are the test's.
//
// WATCHROOM_FUZZ_SEEDS how many seeds, WATCHROOM_FUZZ_START the first one.
import assert from 'node:assert/strict'

import type { CheckSummary } from '@watchroom/shared/health'
import { checksTopic } from '@watchroom/shared/protocol'
import { describe, expect, it } from 'vitest'

import type { LiveClient, TopicWatch } from '../../web/src/live/createLiveClient.ts'
import { buildCheck } from '../support/buildCheck.ts'
import { FakeClock } from '../support/fakeClock.ts'
import { howMany } from '../support/howMany.ts'
import { LiveWorld } from '../support/liveWorld.ts'
import { createRandom } from '../support/random.ts'
import type { Queue } from '../support/socketPair.ts'

const SEEDS = howMany('WATCHROOM_FUZZ_SEEDS', { short: 500, long: 20_000 })
const START = Number(process.env.WATCHROOM_FUZZ_START ?? 1)
const STEPS = 90
const KEYS = Array.from({ length: 10 }, (_, index) => `check-${index}`)
/** Longest back-off of the link, then the longest wait for an unanswered subscription, then a heartbeat. */
const QUIESCENCE_MS = 45_000

interface Counts {
  drops: number
  duplicates: number
  swaps: number
  cuts: number
  restarts: number
  published: number
  resyncs: Map<string, number>
  comparisons: number
}

const newCounts = (): Counts => ({
  drops: 0,
  duplicates: 0,
  swaps: 0,
  cuts: 0,
  restarts: 0,
  published: 0,
  resyncs: new Map(),
  comparisons: 0,
})

/** Text that is equal for equal rows, whatever the order of their fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${name}:${canonical(field)}`)
    .join()}}`
}

type Table = ReadonlyMap<string, string>
type PlainRows = Map<string, Record<string, unknown>>
const toTable = (rows: Iterable<CheckSummary>): Map<string, string> =>
  new Map(Array.from(rows, (row) => [row.id, canonical(row)]))

class Scenario {
  readonly counts: Counts
  readonly #dice: { next: () => number; below: (limit: number) => number; chance: (probability: number) => boolean }
  readonly #clock = new FakeClock()
  readonly #world: LiveWorld
  readonly #watches = new Map<LiveClient, TopicWatch<CheckSummary>>()
  /** Rows that each client showed last. */
  readonly #seen = new Map<number, ReadonlyMap<string, CheckSummary>>()
  /** What the source has now. */
  #rows = new Map<string, CheckSummary>()
  /** What every position of every epoch means, found by applying single ops in the plainest way. */
  readonly #meaning = new Map<string, Table>()
  readonly #plain = new Map<string, PlainRows>()

  constructor(seed: number, counts: Counts) {
    this.counts = counts
    const next = createRandom(seed)
    this.#dice = {
      next,
      below: (limit) => Math.floor(next() * limit),
      chance: (probability) => next() < probability,
    }
    this.#world = new LiveWorld({
      clock: this.#clock,
      random: next,
      canUnpack: seed % 3 === 0,
      settings: {
        deltaOps: 1 + this.#dice.below(8),
        deltaBytes: 50 + this.#dice.below(2_000),
        pageRows: 1 + this.#dice.below(6),
        packBytes: 200,
        logOps: 12,
      },
      onResync: (_address, reason) => counts.resyncs.set(reason, (counts.resyncs.get(reason) ?? 0) + 1),
    })
  }

  async run(): Promise<void> {
    const clients = 1 + this.#dice.below(3)
    for (let index = 0; index < clients; index++) {
      const onRows = (_key: unknown, rows: readonly unknown[]): void =>
        this.#checkIdentity(index, rows as readonly CheckSummary[])
      // As the query cache would: rows survive a reader that went away.
      const knownRows = (): CheckSummary[] => [...(this.#seen.get(index)?.values() ?? [])]
      this.#watch(this.#world.addClient({ onRows, knownRows }))
    }
    for (let step = 0; step < STEPS; step++) {
      await this.#step()
      this.#check()
    }
    this.#world.isUp = true
    for (const wire of this.#world.wires.values()) if (wire) wire.bufferedBytes = 0
    this.#publish()
    await this.#settle()
    this.#world.close()
    assert.equal(this.#clock.pending, 0, 'a timer outlives everything')
  }

  // ---- what may happen ------------------------------------------------------------------------------------------------

  async #step(): Promise<void> {
    const roll = this.#dice.below(100)
    if (roll < 20) this.#publish()
    else if (roll < 45) await this.#deliver()
    else if (roll < 63) await this.#advance(10 + this.#dice.below(300))
    else if (roll < 65) await this.#advance(this.#dice.below(16_000))
    else if (roll < 75) this.#disturb('drops', (queue, at) => queue.drop(at))
    else if (roll < 82) this.#disturb('duplicates', (queue, at) => queue.duplicate(at))
    else if (roll < 90) this.#disturb('swaps', (queue, at) => queue.swap(at))
    else if (roll < 92) this.#cut()
    else if (roll < 95) this.#clog()
    else if (roll < 96) this.#restart()
    else if (roll < 98) this.#comeAndGo()
    else if (roll < 99 && this.#dice.chance(0.3)) this.#world.isUp = !this.#world.isUp
    else this.#refresh()
  }

  #publish(): void {
    const isFirst = this.#rows.size === 0
    const touched = new Set<string>()
    const removed: string[] = []
    const changes = 1 + this.#dice.below(isFirst ? KEYS.length : 5)
    for (let change = 0; change < changes; change++) {
      const key = KEYS[this.#dice.below(KEYS.length)] as string
      const known = this.#rows.get(key)
      if (known && this.#dice.chance(0.25)) {
        this.#rows.delete(key)
        touched.delete(key)
        removed.push(key)
      } else {
        this.#rows.set(key, this.#mutate(known ?? buildCheck({ id: key })))
        touched.add(key)
      }
    }
    this.#announce(touched, removed)
  }

  /** Publishes as a full or a partial answer. A hub that just started gets a full one, as a poller would. */
  #announce(touched: ReadonlySet<string>, removed: readonly string[]): void {
    const before = this.#position()
    const facts = { asOf: this.#clock.now(), droppedRows: 0 }
    if (before === null || this.#dice.chance(0.5)) {
      this.#world.checks.publish({ kind: 'all', rows: [...this.#rows.values()], ...facts })
    } else {
      const rows = [...touched].flatMap((key) => this.#rows.get(key) ?? [])
      const gone = removed.filter((key) => !this.#rows.has(key))
      this.#world.checks.publish({ kind: 'changes', rows, removed: gone, ...facts })
    }
    this.counts.published += 1
    this.#learn(before)
  }

  #mutate(row: CheckSummary): CheckSummary {
    const next = { ...row }
    const number = this.#dice.below(1_000)
    switch (this.#dice.below(5)) {
      case 0:
        return { ...next, status: this.#dice.chance(0.5) ? 'healthy' : 'unhealthy' }
      case 1:
        return { ...next, uptime: { ...row.uptime, passed: number } }
      case 2:
        return { ...next, labels: { app: `app-${number % 7}` } }
      case 3:
        return { ...next, last_error: `failed ${number}` }
      default:
        delete next.last_error
        return { ...next, latency: { p95: number } }
    }
  }

  async #deliver(): Promise<void> {
    for (let count = 1 + this.#dice.below(6); count > 0; count--) {
      const queues = this.#queues()
      const queue = queues[this.#dice.below(queues.length)]
      queue?.deliver()
    }
    await this.#clock.advance(0)
  }

  async #advance(durationMs: number): Promise<void> {
    await this.#clock.advance(durationMs)
  }

  #queues() {
    return [...this.#world.wires.values()]
      .flatMap((wire) => (wire?.pair.isOpen() ? [wire.pair.toClient, wire.pair.toServer] : []))
      .filter((queue) => queue.messages.length > 0)
  }

  #disturb(kind: 'drops' | 'duplicates' | 'swaps', act: (queue: Queue, at: number) => void) {
    const queues = this.#queues()
    const queue = queues[this.#dice.below(queues.length)]
    if (!queue) return
    act(queue, this.#dice.below(queue.messages.length))
    this.counts[kind] += 1
  }

  #anyWire() {
    const wires = [...this.#world.wires.values()]
    return wires[this.#dice.below(wires.length)] ?? null
  }

  #cut(): void {
    this.#anyWire()?.pair.cut()
    this.counts.cuts += 1
  }

  #clog(): void {
    const wire = this.#anyWire()
    if (!wire) return
    wire.bufferedBytes = wire.bufferedBytes > 0 ? 0 : ([100_000, 2_000_000][this.#dice.below(2)] ?? 0)
    wire.session().flush()
  }

  #restart(): void {
    this.#world.restart()
    this.counts.restarts += 1
  }

  #comeAndGo(): void {
    const client = this.#world.clients[this.#dice.below(this.#world.clients.length)]
    if (!client) return
    const watch = this.#watches.get(client)
    if (watch && this.#dice.chance(0.5)) {
      watch.release()
      this.#watches.delete(client)
    } else this.#watch(client)
  }

  #watch(client: LiveClient): void {
    if (!this.#watches.has(client)) this.#watches.set(client, client.watch(checksTopic, {}))
  }

  #refresh(): void {
    for (const watch of this.#watches.values()) watch.view().refresh()
  }

  // ---- what must hold -------------------------------------------------------------------------------------------------

  #table() {
    for (const topic of this.#world.hub.topics()) if (topic.name === 'checks') return topic.table
    return null
  }

  #position() {
    return this.#table()?.position() ?? null
  }

  /** Learns what the new positions mean: op by op, in the plainest way. */
  #learn(before: { epoch: string; offset: number } | null): void {
    const table = this.#table()
    const position = table?.position()
    if (!table || !position) return
    if (!before) {
      const name = `${position.epoch}/${position.offset}`
      this.#plain.set(name, new Map(this.#rows))
      this.#meaning.set(name, toTable(this.#rows.values()))
      return
    }
    let rows: PlainRows = this.#plain.get(`${before.epoch}/${before.offset}`) ?? new Map()
    for (let offset = before.offset; offset < position.offset; offset++) {
      const [op] = table.delta(offset, { maxOps: 1, maxBytes: 0 })?.ops ?? []
      if (!op) throw new Error('the log lost an op')
      rows = new Map(rows)
      if (op.op === 'remove') rows.delete(op.key)
      else {
        const merged = { ...(op.whole ? {} : rows.get(op.key)), ...op.set }
        for (const field of op.unset ?? []) delete merged[field]
        rows.set(op.key, merged)
      }
      this.#plain.set(`${position.epoch}/${offset + 1}`, rows)
      const texts = new Map(Array.from(rows, ([key, row]) => [key, canonical(row)]))
      this.#meaning.set(`${position.epoch}/${offset + 1}`, texts)
    }
    // The ops together mean what the source published.
    assert.deepEqual(this.#meaning.get(`${position.epoch}/${position.offset}`), toTable(this.#rows.values()))
  }

  /** Every reader holds exactly what its position means. */
  #check(): void {
    for (const watch of this.#watches.values()) {
      const table = watch.table()
      if (!table) continue
      this.counts.comparisons += 1
      const meaning = this.#meaning.get(`${table.epoch}/${table.offset}`)
      const rows = toTable(table.rows.values())
      assert.deepEqual(rows, meaning, `client at ${table.epoch}/${table.offset}`)
    }
  }

  /** [LIVE-13] A new object means new content. */
  #checkIdentity(index: number, rows: readonly CheckSummary[]): void {
    const before = this.#seen.get(index)
    for (const row of rows) {
      const known = before?.get(row.id)
      if (known && known !== row) assert.notEqual(canonical(known), canonical(row), `identity of ${row.id}`)
    }
    this.#seen.set(index, new Map(rows.map((row) => [row.id, row])))
  }

  async #settle(): Promise<void> {
    await this.#world.run(QUIESCENCE_MS, 1_000)
    // The hub may have restarted without a reader; whoever watches makes it read again.
    this.#publish()
    await this.#world.run(2_000, 500)
    const fresh = toTable(this.#rows.values())
    for (const watch of this.#watches.values()) {
      const { rows, state } = watch.view()
      assert.deepEqual(toTable(rows), fresh)
      const table = watch.table()
      assert.deepEqual(table && { epoch: table.epoch, offset: table.offset }, this.#position())
      assert.equal(state, 'live')
    }
  }
}

/** What is wrong with the seed, or null. */
async function findFault(seed: number, counts = newCounts()): Promise<string | null> {
  try {
    await new Scenario(seed, counts).run()
    return null
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return `WATCHROOM_FUZZ_START=${seed} WATCHROOM_FUZZ_SEEDS=1: ${fault}`
  }
}

/** Seeds that once found a fault, by what they found. */
const REGRESSIONS = {
  142: 'a subscription that waits for the first rows went deaf while its resync waited',
  597: 'a change that was taken back within one flush gave an equal row a new identity',
} as const

describe('live topics under disturbance', () => {
  it.each(Object.entries(REGRESSIONS))('seed %s passes: %s', async (seed) => {
    expect(await findFault(Number(seed))).toBeNull()
  })

  it(`[LIVE-12] every reader equals a fresh snapshot after quiescence, over ${SEEDS} seeds from ${START}`, async () => {
    const counts = newCounts()
    const faults: string[] = []
    for (let seed = START; seed < START + SEEDS && faults.length < 3; seed++) {
      const fault = await findFault(seed, counts)
      if (fault !== null) faults.push(fault)
    }
    const { resyncs, ...totals } = counts
    const summary = { seeds: SEEDS, ...totals, resyncs: Object.fromEntries(resyncs) }
    process.stdout.write(`live fuzz: ${JSON.stringify(summary)}\n`)
    expect(faults).toEqual([])
    // A check of the check: the disturbances happened, and readers noticed. Few seeds may well miss them.
    const expected = Math.min(1, Math.floor(SEEDS / 100))
    expect(counts.drops).toBeGreaterThanOrEqual(expected * SEEDS)
    expect(resyncs.get('gap') ?? 0).toBeGreaterThanOrEqual(expected)
    expect(counts.comparisons).toBeGreaterThanOrEqual(expected * SEEDS * 10)
  })
})
