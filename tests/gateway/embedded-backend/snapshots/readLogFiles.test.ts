import { randomUUID } from 'node:crypto'

import type { LogPage, LogQuery } from '@watchroom/shared/logs'
import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { readLogFiles } from '../../../../gateway/src/embedded-backend/snapshots/readLogFiles.ts'
import { Refusal } from '../../../../gateway/src/platform/http/refusal.ts'

const WANTED = {
  since: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2026-01-01T01:00:00Z'),
  format: 'log',
} as const

const STAYS = new AbortController().signal

const component = (name: string, ...selectors: string[]) => ({
  id: randomUUID(),
  name,
  log_selectors: selectors.map((selector) => ({ name: selector })),
})
const line = (message: string) => ({ id: message, timestamp: '2026-01-01T00:30:00Z', message, labels: {} })

/** Logs of which each page is what `answer` gives. */
function logsOf(answer: (query: LogQuery) => LogPage | Promise<LogPage>) {
  const asked: LogQuery[] = []
  return {
    asked,
    search: async (query: LogQuery): Promise<LogPage> => {
      asked.push(query)
      return answer(query)
    },
  }
}

it('writes a file of each selector, oldest line first, under names that are never the same', async () => {
  const logs = logsOf(({ name, page }) =>
    page === undefined ? { results: [line(`${name} new`)], nextPage: 'older' } : { results: [line(`${name} old`)] },
  )
  const components = [component('shop', 'a/ccess'), component('shop', 'a ccess'), { id: randomUUID(), name: 'quiet' }]
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, components, WANTED)
  expect(files).toEqual([
    {
      name: 'logs/shop-a-ccess.log',
      content: '2026-01-01T00:30:00Z a/ccess old\n2026-01-01T00:30:00Z a/ccess new\n',
    },
    { name: 'logs/shop-a-ccess.2.log', content: expect.stringContaining('a ccess old') as string },
  ])
  expect(logs.asked[0]).toMatchObject({ start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T01:00:00.000Z' })
})

it('says what is too much, what cannot be read and what is not asked, and has the rest', async () => {
  const logs = logsOf(({ name }) => {
    if (name === 'broken') throw new Refusal(502, { error: 'The log backend x cannot be read: gone', message: 'gone' })
    if (name === 'endless') return { results: Array.from({ length: 1_000 }, () => line('again')), nextPage: 'older' }
    return { results: [line('fine')], notAsked: ['templated'] }
  })
  const components = [component('shop', 'broken', 'endless', 'fine')]
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, components, WANTED)
  expect(files.map(({ name }) => name)).toEqual(['logs/shop-endless.log', 'logs/shop-fine.log', 'logs/left-out.txt'])
  expect(files[0]?.content.match(/again/g)).toHaveLength(10_000)
  expect(files[2]?.content).toBe(
    [
      'shop broken: The log backend x cannot be read: gone',
      'shop endless: what is older than the newest 10000 lines',
      'shop fine: the log backend templated is not asked\n',
    ].join('\n'),
  )
})

it('ends when there are a hundred files, or a minute is over', async () => {
  const many = Array.from({ length: 102 }, (_, index) => component(`c${index}`, 'all'))
  const logs = logsOf(() => ({ results: [line('x')] }))
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, many, WANTED)
  expect(files).toHaveLength(101)
  expect(files.at(-1)?.content).toBe(
    'c100 all: there are too many logs for one archive\nc101 all: there are too many logs for one archive\n',
  )
  const clock = new FakeClock()
  const slow = logsOf(async () => {
    await clock.advance(25_000)
    return { results: [line('x')] }
  })
  expect((await readLogFiles({ logs: slow, clock, gone: STAYS }, many, WANTED)).map(({ name }) => name)).toEqual([
    'logs/c0-all.log',
    'logs/c1-all.log',
    'logs/c2-all.log',
    'logs/left-out.txt',
  ])
  expect(slow.asked).toHaveLength(3)
})

it('names no two files alike, also where small and capital letters are the same', async () => {
  const logs = logsOf(({ name }) => ({ results: [line(name)] }))
  const components = ['web', 'web', 'web.2', 'Web'].map((name) => ({ id: randomUUID(), name, log_selectors: [{}] }))
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, components, WANTED)
  expect(files.map(({ name }) => name)).toEqual([
    'logs/web.log',
    'logs/web.2.log',
    'logs/web.2.2.log',
    'logs/Web.3.log',
  ])
})

it('asks for a selector without a name where it is the first, and says it behind others', async () => {
  const logs = logsOf(({ name }) => ({ results: [line(name || 'first')] }))
  const components = [
    { id: randomUUID(), name: 'shop', log_selectors: [{ name: 'access' }, { labels: { of: 'other' } }] },
    { id: randomUUID(), name: 'depot', log_selectors: [{}, { name: 'access' }] },
  ]
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, components, WANTED)
  expect(files.map(({ name }) => name)).toEqual([
    'logs/shop-access.log',
    'logs/depot.log',
    'logs/depot-access.log',
    'logs/left-out.txt',
  ])
  expect(files.at(-1)?.content).toBe('shop: a log selector behind others has no name\n')
})

it('ends at 64 MiB of all files together', async () => {
  const long = 'x'.repeat(1024 * 1024)
  const logs = logsOf(() => ({ results: Array.from({ length: 5 }, () => line(long)), nextPage: 'older' }))
  const components = [component('shop', 'huge', 'other')]
  const files = await readLogFiles({ logs, clock: new FakeClock(), gone: STAYS }, components, WANTED)
  expect(files.map(({ name }) => name)).toEqual(['logs/shop-huge.log', 'logs/left-out.txt'])
  expect(files[1]?.content).toMatch(
    /^shop huge: what is older than the newest \d\d lines\nshop other: there are too many logs for one archive\n$/,
  )
  expect(logs.asked).toHaveLength(7)
})

it('reads no further once nobody waits', async () => {
  const gone = new AbortController()
  const logs = logsOf(() => {
    gone.abort()
    return { results: [line('x')], nextPage: 'older' }
  })
  const asking = readLogFiles(
    { logs, clock: new FakeClock(), gone: gone.signal },
    [component('shop', 'a', 'b')],
    WANTED,
  )
  await expect(asking).rejects.toThrow('aborted')
  expect(logs.asked).toHaveLength(1)
})
