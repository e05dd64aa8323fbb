import type { LogLine, LogPage } from '@watchroom/shared/logs'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createLogFeed, type FeedAsk, type LogFeed } from '../../../../../web/src/features/logs/feed/createLogFeed.ts'

/** The line of a second of one hour. */
const line = (second: number): LogLine => ({
  id: `l${second}`,
  timestamp: new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString(),
  message: `line ${second}`,
  labels: {},
})
const range = (from: number, to: number): LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index))
const newestFirst = (from: number, to: number): LogLine[] => range(from, to).toReversed()

let asked: FeedAsk[]
let answers: (LogPage | Error)[]
let feed: LogFeed
let clock: FakeClock
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const texts = (): string[] => feed.lines.map(({ text }) => text)

beforeEach(() => {
  asked = []
  answers = []
  clock = new FakeClock()
  feed = createLogFeed({
    clock,
    since: line(0).timestamp,
    isLive: true,
    read,
  })
})
async function read(ask: FeedAsk): Promise<LogPage> {
  asked.push(ask)
  const answer = answers.shift() ?? {}
  if (answer instanceof Error) throw answer
  return answer
}
async function open(page: LogPage): Promise<void> {
  answers.push(page)
  feed.open()
  await settle()
}

describe('a feed of logs', () => {
  it('has the newest lines, oldest first, and those before them on demand', async () => {
    await open({ results: newestFirst(3, 4), nextPage: 'p2' })
    expect([texts(), feed.state().older, feed.state().origin]).toEqual([['line 3', 'line 4'], 'more', 0])
    answers.push({ results: newestFirst(1, 2) })
    feed.loadOlder()
    expect(feed.state().older).toBe('loading')
    await settle()
    expect(texts()).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
    expect(asked).toEqual([{}, { page: 'p2' }])
    expect([feed.state().older, feed.state().origin]).toEqual(['none', 2])
  })

  it('goes on while a search stopped before it found a line, and claims nothing before', async () => {
    answers.push({ nextPage: 'p2' }, { nextPage: 'p3' }, { results: [line(4)], nextPage: 'p4' })
    feed.open()
    await settle()
    expect([feed.state().status, feed.state().older, texts()]).toEqual(['ready', 'more', ['line 4']])
    answers.push({ nextPage: 'p5' }, { results: [line(3)], nextPage: 'p6' })
    feed.loadOlder()
    await settle()
    expect([feed.state().older, texts()]).toEqual(['more', ['line 3', 'line 4']])
    answers.push({ nextPage: 'p7' }, {})
    feed.loadOlder()
    await settle()
    expect(feed.state().older).toBe('none')
  })

  it('asks no more once it is closed', async () => {
    let answer = (_: LogPage): void => undefined
    let calls = 0
    const left = createLogFeed({
      clock,
      isLive: true,
      read: () => {
        calls += 1
        return new Promise((resolve) => {
          answer = resolve
        })
      },
    })
    left.open()
    left.close()
    answer({ nextPage: 'p2' })
    await settle()
    expect([calls, left.state().status]).toEqual([1, 'loading'])
  })

  it('says when older lines could not be read, and tries again', async () => {
    await open({ results: newestFirst(3, 4), nextPage: 'p2' })
    answers.push(new Error('no connection'), { results: [line(2)] })
    feed.loadOlder()
    await settle()
    expect(feed.state().older).toBe('failed')
    feed.loadOlder()
    await settle()
    expect(texts()).toEqual(['line 2', 'line 3', 'line 4'])
  })

  it('is empty without an answer that has lines, and fails with the reason', async () => {
    await open({})
    expect([feed.state().status, texts()]).toEqual(['ready', []])
    const failure = new Error('no')
    answers.push(failure)
    feed.open()
    await settle()
    expect([feed.state().status, feed.state().error]).toEqual(['failed', failure])
  })

  it('has each line once, by whatever way it comes, in the order of their times', async () => {
    await open({ results: newestFirst(1, 3) })
    feed.offer([{ seq: 1, lines: range(3, 5), dropped: 0 }])
    feed.offer([
      { seq: 1, lines: range(3, 5), dropped: 0 },
      { seq: 2, lines: [line(8)], dropped: 0 },
    ])
    answers.push({ results: newestFirst(5, 7) })
    feed.catchUp()
    await settle()
    expect(asked.at(-1)).toEqual({ start: line(3).timestamp })
    expect(texts()).toEqual(range(1, 8).map(({ message }) => message))
  })

  it('keeps lines of one moment in the order they were written in', async () => {
    const same = [line(1), { ...line(1), id: 'b', message: 'second' }, { ...line(1), id: 'c', message: 'third' }]
    await open({ results: same.toReversed() })
    expect(texts()).toEqual(['line 1', 'second', 'third'])
  })

  it('takes nothing of the tail that was written before its range', async () => {
    await open({})
    feed.offer([{ seq: 1, lines: range(-2, 1), dropped: 0 }])
    expect(texts()).toEqual(['line 0', 'line 1'])
  })

  it('says how many lines were skipped, once', async () => {
    await open({ results: [line(1)] })
    const pieces = [{ seq: 1, lines: [line(2)], dropped: 1_200 }]
    feed.offer(pieces)
    feed.offer([...pieces])
    expect(texts()).toEqual(['line 1', '1,200 lines were skipped: a search finds them', 'line 2'])
  })

  it('says that lines were skipped where nobody counted them, also after a pause', async () => {
    await open({ results: [line(1)] })
    feed.offer([{ seq: 1, lines: [line(2)], dropped: 1, mayBeMore: true }])
    feed.pause(true)
    feed.offer([{ seq: 2, lines: [line(3)], dropped: 7 }])
    feed.offer([{ seq: 3, lines: [line(4)], dropped: 1, mayBeMore: true }])
    feed.pause(false)
    const remark = 'Lines in between are skipped here. Search to find them'
    expect(texts()).toEqual(['line 1', remark, 'line 2', remark, 'line 3', 'line 4'])
  })

  it('keeps lines back while it is paused, counts them, and has them all afterwards', async () => {
    await open({ results: [line(1)] })
    feed.pause(true)
    feed.offer([{ seq: 1, lines: range(2, 4), dropped: 0 }])
    feed.offer([{ seq: 2, lines: range(4, 5), dropped: 7 }])
    expect([texts(), feed.state().held]).toEqual([['line 1'], 4])
    feed.pause(false)
    expect(texts()).toEqual([
      'line 1',
      '7 lines were skipped: a search finds them',
      'line 2',
      'line 3',
      'line 4',
      'line 5',
    ])
    expect(feed.state().held).toBe(0)
  })

  it('keeps the newest 5,000 of a long pause, and says how many are missing', async () => {
    await open({ results: [line(1)] })
    feed.pause(true)
    feed.offer([{ seq: 1, lines: range(2, 6_001), dropped: 0 }])
    expect(feed.state().held).toBe(5_000)
    feed.pause(false)
    expect(texts()[1]).toBe('1,000 lines were skipped: a search finds them')
    expect(texts().at(-1)).toBe('line 6001')
  })

  it('lets the oldest go while the end is followed, and finds them again by their time', async () => {
    await open({ results: [line(1)] })
    feed.follow(true)
    feed.offer([{ seq: 1, lines: range(2, 23_000), dropped: 0 }])
    expect(feed.lines).toHaveLength(20_000)
    expect(feed.state().origin).toBe(-3_000)
    const first = feed.lines[0]
    expect([first?.text, feed.indexOf('l1'), feed.indexOf('l3001')]).toEqual(['line 3001', -1, 0])
    answers.push({ results: newestFirst(2_999, 3_001), nextPage: 'p' })
    feed.loadOlder()
    await settle()
    expect(asked.at(-1)).toEqual({ end: first?.at })
    expect(texts()[0]).toBe('line 2999')
  })

  it('lets nothing go of what someone asked for where no tail brings more', async () => {
    feed = createLogFeed({ clock, read, isLive: false })
    await open({ results: newestFirst(20_001, 22_000), nextPage: 'p2' })
    answers.push({ results: newestFirst(1, 20_000), nextPage: 'p3' }, { results: [line(0)] })
    feed.loadOlder()
    await settle()
    expect(texts().slice(0, 1)).toEqual(['line 1'])
    feed.loadOlder()
    await settle()
    expect(asked.slice(1)).toEqual([{ page: 'p2' }, { page: 'p3' }])
    expect([texts().length, texts()[0], feed.state().older]).toEqual([22_001, 'line 0', 'none'])
  })

  it('goes on behind the last line of what stands around one, for as long as there are newer ones', async () => {
    feed = createLogFeed({ clock, read, isLive: false })
    await open({ results: newestFirst(3, 5), nextPage: 'p2' })
    answers.push({ results: newestFirst(1, 7), nextPage: 'other' })
    feed.loadNewer()
    expect(feed.state().newer).toBe('loading')
    await settle()
    // What is older than the first line here stays for who asks for it: its page goes on from there.
    expect([texts(), feed.state().newer]).toEqual([['line 3', 'line 4', 'line 5', 'line 6', 'line 7'], 'more'])
    answers.push(new Error('no connection'), { results: newestFirst(4, 7) }, { results: newestFirst(5, 8) })
    feed.loadNewer()
    await settle()
    expect(feed.state().newer).toBe('failed')
    feed.loadNewer()
    await settle()
    expect(feed.state().newer).toBe('none')
    feed.loadNewer()
    await settle()
    expect([texts().at(-1), feed.state().newer]).toEqual(['line 8', 'more'])
    expect(asked.slice(1)).toEqual(['l5', 'l7', 'l7', 'l7'].map((around) => ({ around })))
    answers.push({ results: [line(2)] })
    feed.loadOlder()
    await settle()
    expect([asked.at(-1), texts()[0]]).toEqual([{ page: 'p2' }, 'line 2'])
  })

  it('lets nothing go while someone reads; what comes beyond 50,000 lines waits', async () => {
    await open({ results: [line(1)] })
    feed.follow(false)
    feed.offer([{ seq: 1, lines: range(2, 50_000), dropped: 0 }])
    feed.offer([{ seq: 2, lines: range(50_001, 50_003), dropped: 0 }])
    expect([feed.lines.length, feed.state().held]).toEqual([50_000, 3])
    feed.follow(true)
    expect(texts().at(-1)).toBe('line 50003')
  })

  it('says that lines are missing where more came than one answer holds', async () => {
    await open({ results: [line(1)] })
    answers.push({ results: newestFirst(10, 12), nextPage: 'p' })
    feed.catchUp()
    await settle()
    expect(texts()).toEqual([
      'line 1',
      'Lines in between are skipped here. Search to find them',
      'line 10',
      'line 11',
      'line 12',
    ])
  })

  it('reads what left the tail while the page was too busy to look', async () => {
    await open({ results: [line(1)] })
    const piece = (seq: number) => ({ seq, lines: [line(seq)], dropped: 0 })
    feed.offer([piece(2), piece(3)])
    feed.offer([piece(3), piece(4)])
    feed.offer([piece(5)])
    expect(asked).toHaveLength(1)
    answers.push({ results: newestFirst(5, 9) })
    feed.offer([piece(8), piece(9)])
    await settle()
    expect(asked.at(-1)).toEqual({ start: line(0).timestamp })
    expect(texts()).toEqual(range(1, 9).map(({ message }) => message))
  })

  it('has lines of the tail drawn ten times a second at most, and loses none', async () => {
    await open({ results: [line(0)] })
    let drawn = 0
    let shown = 0
    feed.subscribe(() => {
      drawn += 1
      shown = feed.lines.length
    })
    for (let seq = 1; seq <= 100; seq += 1) {
      feed.offer([{ seq, lines: range(100 * seq, 100 * seq + 99), dropped: 0 }])
      await clock.advance(20)
    }
    // At the beginning and the end of two seconds, and in between.
    expect([drawn, shown]).toEqual([21, 10_001])
  })

  it('says at once what its reader did, however fast lines come', async () => {
    await open({ results: [line(0)] })
    let drawn = 0
    feed.subscribe(() => (drawn += 1))
    feed.offer([{ seq: 1, lines: [line(1)], dropped: 0 }])
    feed.offer([{ seq: 2, lines: [line(2)], dropped: 0 }])
    feed.pause(true)
    expect([drawn, feed.state().isPaused]).toEqual([2, true])
    feed.close()
    expect(clock.pending).toBe(0)
  })
})
