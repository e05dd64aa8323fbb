// Logs in a file of a million lines: pages and searches over HTTP, a tail from the write to a socket, and its page in a browser.
import { appendFileSync, closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { LogPage } from '@watchroom/shared/logs'

import { launchBrowser, measureMemory, openConsole } from '../support/consolePage.ts'
import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { startGateway, toGatewayBackend } from '../support/gateway.ts'
import { callTable, signInPerson } from '../support/incidentGateway.ts'
import { createLogComponents } from '../support/logComponents.ts'
import { observeFrames } from '../support/observeFrames.ts'
import { openRawLive, settled } from '../support/rawLive.ts'
import { traceTasks } from '../support/traceTasks.ts'
import { type BenchTable, percentile } from './table.ts'

const LINES = 1_000_000
const STEP_MS = 10
const REPEATS = 10
const PAGE_LIMIT_MS = 200
const TAIL_SECONDS = 10
const TAIL_PER_SECOND = 5_000
const SLOW_LINES = 50
const FRAME_LIMIT_MS = 50
/** Faster than anything is shown. */
const FAST_PER_SECOND = 20_000
const PATIENCE_MS = 60_000

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const gateway = await startGateway({ backend: toGatewayBackend(backend), webRoot: WEB_ROOT })
  const { id, writeTail, startedAt } = await prepare(backend)
  const { session } = await signInPerson(backend, 'viewer')
  const headers = { cookie: `ory_kratos_session=${session}`, origin: gateway.url }
  const at = (share: number): string => new Date(startedAt + share * LINES * STEP_MS).toISOString()
  const range = { start: at(0), end: at(1) }

  const ask = async (body: object): Promise<LogPage> => {
    const answer = await fetch(`${gateway.url}/api/logs`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ id, name: 'large', ...range, limit: 500, ...body }),
    })
    if (answer.status !== 200) throw new Error(await answer.text())
    return (await answer.json()) as LogPage
  }
  const [line] = (await ask({ end: at(0.3), limit: 1 })).results ?? []
  const questions = {
    'newest 500': {},
    '500 from the middle': { end: at(0.5) },
    '500 around a line': { around: line?.id },
    '500 with a common word': { query: 'parcels 200' },
    'a word of one line': { query: 'request-777777' },
    'a word of no line': { query: 'nowhere' },
  }
  const rows: (string | number)[][] = []
  for (const [name, body] of Object.entries(questions)) {
    const times: number[] = []
    let found = 0
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const askedAt = performance.now()
      found = (await ask(body)).results?.length ?? 0
      times.push(performance.now() - askedAt)
    }
    rows.push([name, found, ms(percentile(times, 0.5)), ms(Math.max(...times))])
  }

  const live = openRawLive(gateway.url, headers)
  await settled(live.subscribe('logTail', { componentId: id, selector: 'tail', query: '' }))
  const slow: number[] = []
  for (let n = 0; n < SLOW_LINES; n++) {
    const writtenAt = performance.now()
    writeTail(`slow-${n}-`)
    while (!live.received().includes(`slow-${n}-`)) await pause(2)
    slow.push(performance.now() - writtenAt)
    await pause(50 + (n % 7) * 20)
  }
  rows.push(['tail, a line now and then', SLOW_LINES, ms(percentile(slow, 0.5)), ms(Math.max(...slow))])
  const { shown, dropped, lastMs } = await flood(writeTail, live.received)
  rows.push([`tail, ${TAIL_PER_SECOND} lines/s for ${TAIL_SECONDS} s`, shown, '', ms(lastMs)])
  live.close()
  const page = { url: gateway.url, session, path: `/logs?topologyId=${id}&logsSelector=tail` }
  const drawn = [
    await draw(page, TAIL_PER_SECOND, writeTail),
    await draw({ ...page, path: `${page.path}&query=flood` }, TAIL_PER_SECOND, writeTail),
    await draw(page, FAST_PER_SECOND, writeTail),
  ]
  await gateway.stop()
  await backend.stop()
  return {
    title: `Logs: a file of ${LINES.toLocaleString('en')} lines`,
    columns: ['question', 'lines', 'p50', 'max'],
    rows: [...rows, ['in Chromium', 'shown', 'frames p99', 'longest'], ...drawn.map(({ row }) => row)],
    notes: [
      `Target: a page of 500 within ${PAGE_LIMIT_MS} ms. Over HTTP through the gateway, ${REPEATS} times each.`,
      `Tail: from the write to the socket; of the flood the last line. ${dropped} lines of it were left out and counted.`,
      `In Chromium: the page of the tail for ${TAIL_SECONDS} s, drawn in software; no frame longer than ${FRAME_LIMIT_MS} ms. ${drawn.map(({ note }) => note).join('; ')}.`,
      `Load average at the end: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}.`,
    ],
  }
}

const ms = (duration: number): string => `${Math.round(duration)} ms`
const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs))

async function prepare(backend: TestBackend) {
  const folder = join(backend.dataDirectory, 'logs', 'bench')
  mkdirSync(folder)
  const startedAt = Date.now() - LINES * STEP_MS
  const file = openSync(join(folder, 'large.log'), 'w')
  for (let n = 0; n < LINES; n += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => toLine(startedAt + (n + index) * STEP_MS, n + index))
    writeSync(file, lines.join(''))
  }
  closeSync(file)
  const tail = join(folder, 'tail.log')
  appendFileSync(tail, `${new Date().toISOString()} first\n`)
  const backends = ['large', 'tail'].map((name) => ({
    file: { path: [`bench/${name}.log`], routes: [{ labels: { file: name } }] },
  }))
  await callTable(backend, 'logging_backends', {
    method: 'POST',
    body: { name: 'bench', source: 'UI', spec: { backends } },
  })
  const selectors = ['large', 'tail'].map((name) => ({ name, labels: { file: name } }))
  const [id = ''] = await createLogComponents(backend, [{ name: 'bench', selectors }])
  return { id, startedAt, writeTail: (text: string) => appendFileSync(tail, `${new Date().toISOString()} ${text}\n`) }
}

const toLine = (at: number, n: number): string =>
  `${new Date(at).toISOString()} INFO request-${n} GET /parcels/${n % 977} 200 in ${n % 300} ms user-agent=probe/1.0 trace=${(n * 7_919) % 1_000_003}\n`

/** @returns how many lines were written */
async function pour(writeTail: (text: string) => void, perSecond: number): Promise<number> {
  const burst = perSecond / 50
  const startedAt = performance.now()
  let written = 0
  for (let tick = 0; tick < TAIL_SECONDS * 50; tick++) {
    const lines = Array.from({ length: burst }, () => `${new Date().toISOString()} flood-${written++}-`)
    writeTail(`burst\n${lines.join('\n')}`)
    await pause(Math.max(0, startedAt + (tick + 1) * 20 - performance.now()))
  }
  return written
}

async function flood(writeTail: (text: string) => void, received: () => string) {
  const written = await pour(writeTail, TAIL_PER_SECOND)
  const endedAt = performance.now()
  while (!received().includes(`flood-${written - 1}-`)) await pause(2)
  const dropped = [...received().matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  const shown = received().split('"message":"flood-').length - 1
  return { shown, dropped, lastMs: performance.now() - endedAt }
}

interface DrawnPage {
  readonly url: string
  readonly session: string
  readonly path: string
}

/** The page of the tail in a browser, while lines come. */
async function draw(gateway: DrawnPage, perSecond: number, writeTail: (text: string) => void) {
  const browser = await launchBrowser()
  try {
    const { page } = await openConsole(browser, gateway, gateway.path)
    writeTail('flood begins')
    await page.locator('li[aria-setsize]').filter({ hasText: 'flood begins' }).first().waitFor({ timeout: PATIENCE_MS })
    const before = await measureMemory(browser, page)
    const flooding = pour(writeTail, perSecond)
    const { value, longestMs } = await traceTasks(browser, page, () => observeFrames(page, TAIL_SECONDS * 1_000))
    const { frames, longTasks } = value
    await flooding
    const end = `flood ends ${performance.now()}`
    writeTail(end)
    await page.locator('li[aria-setsize]').filter({ hasText: end }).first().waitFor({ timeout: PATIENCE_MS })
    const after = await measureMemory(browser, page)
    const shown = (await page.locator('li[aria-setsize]').last().getAttribute('aria-setsize')) ?? ''
    const name = `${gateway.path.includes('query') ? 'search in the tail' : 'tail'}, ${perSecond.toLocaleString('en')} lines/s`
    return {
      row: [name, shown, ms(percentile(frames, 0.99)), ms(Math.max(...frames))],
      note: `${name}: ${longTasks.length} tasks of 50 ms and more${longTasks.length === 0 ? '' : `, the longest ${ms(Math.max(...longTasks))}`}, at most ${ms(longestMs)} of the processor for one, heap ${before.heap.toFixed(0)} → ${after.heap.toFixed(0)} MiB, process ${before.process.toFixed(0)} → ${after.process.toFixed(0)} MiB`,
    }
  } finally {
    await browser.close()
  }
}
