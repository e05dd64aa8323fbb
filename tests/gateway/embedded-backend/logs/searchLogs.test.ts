import { describe, expect, it } from 'vitest'

import type { Log, LogSearch, PlacedLine } from '../../../../gateway/src/embedded-backend/logs/log.ts'
import { searchLogs } from '../../../../gateway/src/embedded-backend/logs/searchLogs.ts'

const SEARCH: LogSearch = { start: 0, end: 1_000, words: [], labels: {}, budget: { bytes: 0, endsAt: 0 } }

/** @param most lines that it gives at once */
function buildLog(key: string, moments: readonly number[], most = Infinity): Log {
  const all = moments.map((at, index): PlacedLine => {
    const line = { id: String(at), timestamp: new Date(at).toISOString(), message: `${key} ${at}`, labels: {} }
    return { line, at, place: String(index + 1) }
  })
  return {
    key,
    newestAt: Infinity,
    before: (place, _search, limit) => {
      const start = Number(place ?? 0)
      const lines = all.slice(start, start + Math.min(limit, most))
      const isOver = start + lines.length === all.length
      return Promise.resolve({ lines, next: isOver ? null : String(start + lines.length) })
    },
    find: () => Promise.resolve(null),
    after: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }
}

describe('several logs', () => {
  it.each([Infinity, 3, 1])('are in one order over all pages when one of them gives %s lines at once', async (most) => {
    const even = Array.from({ length: 30 }, (_, n) => 900 - 20 * n)
    const odd = Array.from({ length: 10 }, (_, n) => 805 - 10 * n)
    const logs = [buildLog('slow', even, most), buildLog('file', odd)]
    const messages: string[] = []
    let places: Record<string, string | null> | null = {}
    while (places !== null) {
      const found = await searchLogs(logs, places, SEARCH, 10)
      expect(found.lines.length).toBeGreaterThan(0)
      messages.push(...found.lines.map(({ message }) => message))
      places = found.next
    }
    const inOrder = [...even.map((at) => ({ at, key: 'slow' })), ...odd.map((at) => ({ at, key: 'file' }))]
      .toSorted((a, b) => b.at - a.at)
      .map(({ at, key }) => `${key} ${at}`)
    expect(messages).toEqual(inOrder)
  })
})
