// Shared rows go to whoever is shown all of their source and of what they quote (LIVE-64): what a source embeds must be declared.
import { Readable } from 'node:stream'

import { FOREIGN_KEYS, TABLE_ACCESS } from '@watchroom/shared/access'
import { type TopicName, TOPICS } from '@watchroom/shared/protocol'
import { expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { POLLED_ID, POLLED_PARAMS } from '#support/polledParams.ts'
import { NAMES_OF, type ScopedTable } from '#support/scopedTables.ts'

import type { BackendClient } from '../../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'
import type { Feed, PolledFeeds } from '../../../gateway/src/polling/contract.ts'
import { createFeeds } from '../../../gateway/src/polling/createFeeds.ts'

/** One row that every source can go on from. */
const ROW = { id: POLLED_ID, config_id: POLLED_ID, related_id: POLLED_ID, place: 0, seq: 1, status: 'waiting' }

/** Shown with the item that they are of (backend reference 14.2). */
const FOLLOWS: { readonly [Table in ScopedTable]?: ScopedTable } = {
  config_changes: 'config_items',
  config_analysis: 'config_items',
}

/** A scoped table by any of its names. */
const baseOf = (name: string): ScopedTable | undefined =>
  (Object.keys(NAMES_OF) as ScopedTable[]).find((table) => (NAMES_OF[table] as readonly string[]).includes(name))

/** Every table that an embed of this name could mean. */
const tablesOf = (name: string): string[] =>
  name in TABLE_ACCESS
    ? [name]
    : Object.values(FOREIGN_KEYS).flatMap((keys) => keys.flatMap(([column, to]) => (column === name ? [to] : [])))

/** Names before a bracket of `select`, without what they are called in the answer. */
const embedsOf = (path: string): string[] => {
  const select = new URLSearchParams(path.split('?')[1]).get('select') ?? ''
  return [...select.matchAll(/([\w:!]+)\(/g)].map(([, head = '']) => head.split('!', 1)[0]?.split(':').at(-1) ?? '')
}

/** The table that is asked for itself. */
const rootOf = (path: string): string[] => (/^\/db\/(\w+)/.exec(path) ?? []).slice(1)

const CALLER = { key: 'someone', headers: {}, credential: 'caller' } as const

/** What a source asks when it is read. */
async function pathsOf(name: keyof PolledFeeds): Promise<string[]> {
  const paths: string[] = []
  const answer = JSON.stringify(name === 'topology' || name === 'logTail' || name === 'checks' ? {} : [ROW])
  const backend: BackendClient = {
    hasServiceCredential: true,
    request: async ({ path, credential }) => {
      // The shared ones read by themselves.
      if (credential === 'caller') paths.push(path)
      const body = { status: 200, headers: {}, body: Readable.from(answer), discard: () => {} }
      return { ...body, text: async () => answer, json: async () => JSON.parse(answer) as unknown }
    },
    close: async () => {},
  }
  const deps = {
    clock: new FakeClock(),
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics({ process: false }),
  }
  const owner = createFeeds({ ...deps, backend, random: () => 0.5, areFirstRunsLate: () => true })
  const feed = (owner.feedsOf(CALLER)[name] as (params: object) => Feed<unknown>)(POLLED_PARAMS[name])
  const read = vi.fn()
  feed.listen({ onRead: read, onProblem: read })
  feed.watch()
  await eventually(async () => {
    await deps.clock.advance(1_000)
    expect(read).toHaveBeenCalled()
  })
  owner.close()
  return paths
}

it.each(Object.keys(POLLED_PARAMS) as (keyof PolledFeeds)[])(
  '[LIVE-64] the topic %s declares every table that its rows quote and scopes can hide',
  async (name) => {
    const topic = TOPICS[name as TopicName] as unknown as { source(of: object): string; quotes?: readonly string[] }
    const declared = [topic.source(POLLED_PARAMS[name]), ...(topic.quotes ?? [])].map(
      (source) => source.split('?', 1)[0] ?? '',
    )
    const paths = await pathsOf(name)
    expect(paths).not.toEqual([])
    const quoted = [...paths.flatMap(rootOf), ...paths.flatMap(embedsOf).flatMap(tablesOf)].map(baseOf)
    const known = new Set(declared.map(baseOf))
    const isDeclared = (table: ScopedTable): boolean =>
      known.has(table) || (FOLLOWS[table] !== undefined && known.has(FOLLOWS[table]))
    expect([...new Set(quoted)].filter((table) => table !== undefined && !isDeclared(table))).toEqual([])
  },
)
