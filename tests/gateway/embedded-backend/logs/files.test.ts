import { appendFileSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { buildSearch, makeFolder, openLog } from '#support/logFile.ts'

import { findFormat } from '../../../../gateway/src/embedded-backend/logs/files/lineFormat.ts'
import { openLogFiles } from '../../../../gateway/src/embedded-backend/logs/files/openLogFiles.ts'
import type { Log, LogSearch } from '../../../../gateway/src/embedded-backend/logs/log.ts'
import { matches } from '../../../../gateway/src/platform/fileRoots.ts'

const AT = Date.parse('2026-11-23T10:00:00Z')
const at = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString()
const messagesOf = ({ lines }: { readonly lines: readonly { line: { message: string } }[] }): string[] =>
  lines.map(({ line }) => line.message)

async function useLog(text: string | Buffer): Promise<Log> {
  const log = await openLog(join(makeFolder(), 'a.log'), text)
  if (!log) throw new Error('the log is empty')
  return log
}

/** All messages, newest first, in pages of this size. */
async function readAll(log: Log, pageSize: number, search: Partial<LogSearch> = {}): Promise<string[]> {
  const messages: string[] = []
  for (let place: string | null = null; ;) {
    const stretch = await log.before(place, buildSearch(search), pageSize)
    messages.push(...messagesOf(stretch))
    if (stretch.next === null) return messages
    place = stretch.next
  }
}

describe('the time of a line', () => {
  it.each([
    ['2026-11-23T10:00:00.5Z started', AT + 500, 'started'],
    ['2026-11-23 12:00:00,250 +0200 started', AT + 250, 'started'],
    ['[2026-11-23T10:00:00Z] started', AT, 'started'],
    ['2026/11/23 10:00:00 started', AT, 'started'],
    [
      '10.0.0.1 - - [23/Nov/2026:11:00:00 +0100] "GET /" 200',
      AT,
      '10.0.0.1 - - [23/Nov/2026:11:00:00 +0100] "GET /" 200',
    ],
    ['{"time":"2026-11-23T10:00:00Z","msg":"started"}', AT, 'started'],
    ['{"ts":1795428000.25,"message":"started"}', AT + 250, 'started'],
    ['{"@timestamp":1795428000000,"log":"started"}', AT, 'started'],
    ['started', null, 'started'],
    ['2026-99-99T10:00:00Z started', null, '2026-99-99T10:00:00Z started'],
  ])('is read from %s', (line, moment, message) => {
    expect(findFormat([line]).read(line)).toMatchObject({ at: moment, message })
  })

  it('of JSON leaves everything else as labels, and no half character', () => {
    const line = '{"time":"2026-11-23T10:00:00Z","msg":"a\\ud800","level":"warn","took":7,"user":{"id":1},"none":null}'
    expect(findFormat([line]).read(line)).toEqual({
      at: AT,
      message: 'a\u{FFFD}',
      labels: { level: 'warn', took: '7', user: '{"id":1}' },
    })
  })
})

describe('a file', () => {
  const text = Array.from({ length: 5_000 }, (_, n) => `${at(n)} line ${n} ${'x'.repeat(n % 200)}\n`).join('')

  it.each([1, 7, 499, 5_000])('is read in pages of %d without losing, doubling or moving a line', async (pageSize) => {
    const all = await readAll(await useLog(text), pageSize, pageSize === 1 ? { start: AT + 4_900_000 } : {})
    const first = pageSize === 1 ? 4_900 : 0
    expect(all.map((message) => message.split(' ')[1])).toEqual(
      Array.from({ length: 5_000 - first }, (_, n) => String(4_999 - n)),
    )
  })

  it('is searched within its range, in whatever case, by message and label', async () => {
    const log = await useLog(text)
    const range = { start: AT + 100_000, end: AT + 102_000 }
    expect((await readAll(log, 10, range)).map((message) => message.split(' ')[1])).toEqual(['102', '101', '100'])
    expect(await readAll(log, 10, { words: ['line', '4321'] })).toEqual([expect.stringContaining('line 4321')])
    expect(await readAll(log, 10, { words: ['nowhere'] })).toEqual([])
    const json = await useLog(
      `{"time":"${at(0)}","msg":"one","level":"error"}\n{"time":"${at(1)}","msg":"two","level":"info"}\n`,
    )
    expect(await readAll(json, 10, { words: ['level=error'] })).toEqual(['one'])
    expect(await readAll(json, 10, { labels: { level: 'info' } })).toEqual(['two'])
  })

  it('is searched as far as there is time for, and the next page goes on', async () => {
    const log = await useLog(text)
    const spent = await log.before(
      null,
      buildSearch({ words: ['line', '11'], budget: { bytes: 1, endsAt: Infinity } }),
      10,
    )
    expect(spent.next).not.toBeNull()
    expect(messagesOf(await log.before(spent.next, buildSearch({ words: ['11', 'line'] }), 10))).not.toEqual([])
  })

  it('tells a line by its id, and what stands around it', async () => {
    const log = await useLog(text)
    const { lines } = await log.before(null, buildSearch({ words: ['line', '2500'] }), 1)
    const id = lines[0]?.line.id ?? ''
    expect(await log.find(id)).toMatchObject({ line: { id, message: expect.stringContaining('line 2500') as string } })
    const after = await log.after({ id }, 3)
    expect(after.map(({ line }) => line.message.split(' ')[1])).toEqual(['2501', '2502', '2503'])
    const from = await log.after({ at: AT + 4_998_000 }, 10)
    expect(from.map(({ line }) => line.message.split(' ')[1])).toEqual(['4998', '4999'])
    for (const wrong of ['1', '-5', '1e3', 'x', String(text.length + 1)]) {
      expect([wrong, (await log.find(wrong))?.line.id ?? null]).toEqual([wrong, /^\d+$/.test(wrong) ? null : '0'])
    }
  })

  it('joins a trace to its line, and takes bytes that are no text', async () => {
    const trace = `${at(0)} failed\n  at one\n  at two\n${at(1)} ok \0\u001B[31m red\r\n`
    const log = await useLog(Buffer.concat([Buffer.from(trace), Buffer.from([0xff, 0xfe, 0x0a])]))
    expect(await readAll(log, 10)).toEqual(['ok \u001B[31m red\r\n\u{FFFD}\u{FFFD}', 'failed\n  at one\n  at two'])
  })

  it('cuts a line of a megabyte, and reads what is around it', async () => {
    const log = await useLog(`${at(0)} before\n${at(1)} ${'y'.repeat(1_000_000)}\n${at(2)} after\n`)
    const [after, long = '', before] = await readAll(log, 10)
    expect([after, before]).toEqual(['after', 'before'])
    expect(long.length).toBeLessThan(70_000)
    expect(long).toMatch(/^y+… \[cut here/)
  })

  it('without times is as old as its last change', async () => {
    const log = await useLog('one\ntwo\n')
    const { lines } = await log.before(null, buildSearch(), 10)
    expect(lines.map(({ line }) => line.message)).toEqual(['two', 'one'])
    expect(lines[0]?.at).toBe(log.newestAt)
    expect(await readAll(log, 10, { end: AT - 1 })).toEqual([])
  })
})

describe('news of a file', () => {
  it('are whole lines, also when they come in halves, and after it was emptied or rotated', async () => {
    const folder = makeFolder()
    const path = join(folder, 'a.log')
    const log = await openLog(path, `${at(0)} one\n`)
    const place = (await log?.follow?.end()) ?? ''
    const newsOf = async (from: string) => {
      const again = await openLog(path)
      const news = await again?.follow?.news(from, buildSearch(), 100)
      return { messages: messagesOf(news ?? { lines: [] }), place: news?.place ?? '', key: again?.key }
    }
    appendFileSync(path, `${at(1)} tw`)
    expect(await newsOf(place)).toMatchObject({ messages: [], place })
    appendFileSync(path, `o\n${at(2)} three\n`)
    const both = await newsOf(place)
    expect(both.messages).toEqual(['two', 'three'])
    expect(both.key).toBe(log?.key)

    const renamed = join(folder, 'a.log.1')
    renameSync(path, renamed)
    expect((await openLog(renamed))?.key).toBe(log?.key)
    renameSync(renamed, path)

    truncateSync(path, 0)
    appendFileSync(path, `${at(3)} four\n`)
    const anew = await newsOf(both.place)
    expect(anew.messages).toEqual(['four'])
    expect(anew.key).not.toBe(log?.key)
  })

  it('that are too many are thinned out and counted', async () => {
    const path = join(makeFolder(), 'a.log')
    const log = await openLog(path, `${at(0)} first\n`)
    const place = (await log?.follow?.end()) ?? ''
    appendFileSync(path, Array.from({ length: 60_000 }, (_, n) => `${at(1)} line ${n} ${'z'.repeat(100)}\n`).join(''))
    const news = await (await openLog(path))?.follow?.news(place, buildSearch(), 1_000)
    expect(news?.lines).toHaveLength(1_000)
    expect(news?.dropped).toBe(59_000)
    expect(news?.lines.at(-1)?.line.message).toMatch(/^line 59999 /)
  })

  // 2,007 thousandths a thousand times is a little more than 2,007 where parts of numbers are rounded.
  it.each([1_001, 2_007, 3_999])('are thinned out with the last among them, of %i', async (count) => {
    const path = join(makeFolder(), 'a.log')
    const log = await openLog(path, `${at(0)} first\n`)
    const place = (await log?.follow?.end()) ?? ''
    appendFileSync(path, Array.from({ length: count }, (_, n) => `${at(1)} line ${n}\n`).join(''))
    const news = await (await openLog(path))?.follow?.news(place, buildSearch(), 1_000)
    const shown = news?.lines.map(({ line }) => Number(line.message.slice('line '.length))) ?? []
    expect([shown.length, news?.dropped, shown.at(-1)]).toEqual([1_000, count - 1_000, count - 1])
    expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b))
  })
})

describe('the files of a source', () => {
  async function open(paths: readonly string[], folder: string, others: readonly string[] = []) {
    const roots = { own: join(folder, 'data/logs'), others, hidden: [join(folder, 'data')] }
    const files = await openLogFiles(paths, roots, { team: 'web' })
    onTestFinished(() => Promise.all(files.map(({ handle }) => handle.close())).then(() => undefined))
    return files.map(({ labels }) => labels['file'] ?? '').toSorted()
  }
  function makeFiles(): string {
    const folder = makeFolder()
    for (const name of ['data/logs/shop', 'var', 'secret']) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['shop/a.log', 'shop/a.log.1', 'shop/b.txt', 'c.log', 'c.log.gz']) {
      writeFileSync(join(folder, 'data/logs', name), 'x\n')
    }
    for (const name of ['data/key', 'var/d.log', 'secret/e.log']) writeFileSync(join(folder, name), 'x\n')
    return folder
  }

  it('are those that a path or pattern means, with their rotated ones', async () => {
    const folder = makeFiles()
    expect(await open(['c.log'], folder)).toEqual(['c.log'])
    expect(await open(['*/?.log', 'nothing.log'], folder)).toEqual(['a.log', 'a.log.1'])
    expect(await open([join(folder, 'var/*.log')], folder, [join(folder, 'var')])).toEqual(['d.log'])
  })

  it.each(['../key', '/etc/passwd', 'shop/../../key', '..', '.', 'a\0.log'])(
    'are never outside of the folders: %j',
    async (path) => {
      await expect(open([path], makeFiles())).rejects.toThrow(/outside of the folders/)
    },
  )

  it("are not the product's own data where a root lies around it, and no link leads out", async () => {
    const folder = makeFiles()
    await expect(open([join(folder, 'data/key')], folder, [folder])).rejects.toThrow(/outside/)
    symlinkSync(join(folder, 'secret/e.log'), join(folder, 'data/logs/link.log'))
    symlinkSync(join(folder, 'secret'), join(folder, 'data/logs/away'))
    symlinkSync(join(folder, 'data/key'), join(folder, 'var/key.log'))
    expect(await open(['link.log', 'away/e.log'], folder)).toEqual([])
    expect(await open([join(folder, 'var/*.log')], folder, [join(folder, 'var')])).toEqual(['d.log'])
  })

  it.each([
    ['*.log', 'a.log', true],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYbZ', false],
    ['?.log', 'ab.log', false],
    [`${'*a'.repeat(30)}b`, 'a'.repeat(200), false],
  ])('match %s and %s: %s', (pattern, name, isMatch) => {
    expect(matches(pattern, name)).toBe(isMatch)
  })
})
