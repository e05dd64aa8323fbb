import { describe, expect, it } from 'vitest'

import type { Feed } from '../../../gateway/src/polling/contract.ts'
import { createKeyedFeeds } from '../../../gateway/src/polling/createKeyedFeeds.ts'

interface Opened {
  readonly key: string
  wakes: number
  isClosed: boolean
}

function open() {
  const opened: Opened[] = []
  const keyed = createKeyedFeeds<string>((key) => {
    const entry: Opened = { key, wakes: 0, isClosed: false }
    opened.push(entry)
    const feed: Feed<string> = {
      freshForMs: 1,
      problem: () => null,
      listen: () => () => {},
      watch: () => () => {},
      wake: () => {
        entry.wakes += 1
      },
      close: () => {
        entry.isClosed = true
      },
    }
    return feed
  })
  return { keyed, opened }
}

const listener = { onRead: () => {}, onProblem: () => {} }

describe('createKeyedFeeds', () => {
  it('opens one feed per key and closes it when its last listener leaves', () => {
    const { keyed, opened } = open()
    const first = keyed.get('a').listen(listener)
    const second = keyed.get('a').listen(listener)
    keyed.get('b').listen(listener)
    expect(opened.map(({ key }) => key)).toEqual(['a', 'b'])
    first()
    first()
    expect(opened[0]?.isClosed).toBe(false)
    second()
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
    keyed.get('a').listen(listener)
    expect(opened.map(({ key }) => key)).toEqual(['a', 'b', 'a'])
  })

  it('closes all of them at the end', () => {
    const { keyed, opened } = open()
    keyed.get('a').listen(listener)
    keyed.get('b').listen(listener)
    keyed.close()
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
  })
})
