// Runs of playbooks: a step that prints as fast as it can with many viewers, how late a line arrives, and lists of very many runs.
// Backend and gateway are processes of their own; viewers are sockets, which read and count but draw nothing, and then one browser.
import { createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import { inflateRawSync } from 'node:zlib'

import {
  LIVE_EVENT,
  type Op,
  PACKED_ENCODING,
  PackedBodySchema,
  PackedRowsSchema,
  PROTOCOL_VERSIONS,
  type ServerMessage,
  unpackRows,
} from '@watchroom/shared/protocol'
import { Pool } from 'pg'
import type { Browser, Page } from 'playwright'
import { io, type Socket } from 'socket.io-client'

import { launchBrowser, measureMemory, openConsole } from '../support/consolePage.ts'
import { startEmbeddedBackend, TEST_ADMIN, type TestBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { observeFrames } from '../support/observeFrames.ts'
import { residentMiB, until } from '../support/processes.ts'
import { traceTasks } from '../support/traceTasks.ts'
import { type BenchTable, percentile } from './table.ts'

const VIEWERS = [1, 20, 100]
const LINES = 200_000
/** 10 MB together. */
const LINE = '7'.repeat(45)
const SLOW_LINES = 100
const DELAY_LIMIT_MS = 150
const PLAYBOOKS = 1_000
const RUNS = 100_000
const STEPS_PER_RUN = 3
const FIRST_PAGE_LIMIT_MS = 500
const FILTER_LIMIT_MS = 250
const REPEATS = 20
/** Of what a page in a browser does. */
const PAGE_REPEATS = 5
const PATIENCE_MS = 120_000

/** A page is opened before the script prints; then its frames are observed. */
const PAGE_FIRST_S = 8
const OBSERVED_MS = 60_000
const STEADY_PER_SECOND = 5_000
const STEADY_SECONDS = 10
const FRAME_LIMIT_MS = 50
/** Runs that go on while the list of runs is looked at, each of so many steps of a second. */
const RUNNING = 50
const STEPS = 20
const LIST_MS = 10_000

/** Prints a thousand lines at a time. @param pause between them */
const blocks = (sleepS: number, count: number, pause = ''): string =>
  `i=0; while [ $i -lt 1000 ]; do i=$((i+1)); block="$block$i ${LINE}\\n"; done; n=0
sleep ${sleepS}; while [ $n -lt ${count} ]; do n=$((n+1)); printf "$block"; ${pause} done; echo the end`
const FAST = blocks(1, LINES / 1_000)
const slow = (sleepS: number): string =>
  `sleep ${sleepS}; i=0; while [ $i -lt ${SLOW_LINES} ]; do i=$((i+1)); echo "at $(date +%s%N)"; sleep 0.1; done; echo the end`

interface Stand {
  readonly backend: TestBackend
  readonly gateway: GatewayProcess
  readonly headers: Record<string, string>
  readonly url: string
  readonly session: string
}

async function save({ backend, headers }: Stand, actions: readonly object[]): Promise<string> {
  const name = `bench ${performance.now()}`
  const saved = await backend.call('/db/playbooks', {
    method: 'POST',
    headers: { ...headers, prefer: 'return=representation' },
    body: { name, title: name, source: 'UI', spec: { actions } },
  })
  const [playbook] = saved.json() as { id: string }[]
  return playbook?.id ?? ''
}

async function ask({ backend, headers }: Stand, id: string): Promise<string> {
  const asked = await backend.call('/playbook/run', { method: 'POST', headers, body: { id } })
  return (asked.json() as { run_id: string }).run_id
}

async function start(stand: Stand, script: string): Promise<{ runId: string; actionId: string }> {
  const { backend } = stand
  const runId = await ask(stand, await save(stand, [{ name: 'print', exec: { script } }]))
  let step: { id: string } | undefined
  await until(
    async () => {
      const rows = await backend.callAsService(`/db/playbook_run_actions?playbook_run_id=eq.${runId}&select=id`)
      ;[step] = rows.json() as { id: string }[]
      return step !== undefined
    },
    { maxMs: PATIENCE_MS },
  )
  return { runId, actionId: step?.id ?? '' }
}

interface Viewer {
  readonly socket: Socket
  /** When the last line was here. */
  endedAt: number | null
  /** Milliseconds from the clock of a line to here. */
  readonly delays: number[]
}

/** What was unpacked last, by its digest: viewers of one process need not unpack the same bytes a hundred times. */
const unpacked = new Map<string, readonly unknown[]>()
const MAX_UNPACKED = 50

const textsOfOps = (ops: readonly Op[]): unknown[] => ops.flatMap((op) => (op.op === 'remove' ? [] : [op.set['text']]))

function unpack(data: Uint8Array): readonly unknown[] {
  const digest = createHash('sha1').update(data).digest('base64')
  const known = unpacked.get(digest)
  if (known) return known
  const body = PackedBodySchema.parse(JSON.parse(inflateRawSync(data).toString()))
  const texts =
    body.type === 'delta'
      ? textsOfOps(body.ops)
      : unpackRows(PackedRowsSchema.parse(body.table)).map((row) => row['text'])
  if (unpacked.size >= MAX_UNPACKED) unpacked.clear()
  unpacked.set(digest, texts)
  return texts
}

function textsOf(message: ServerMessage): readonly unknown[] {
  if (message.type === 'packed') return unpack(new Uint8Array(message.data))
  if (message.type === 'snapshot' && 'rows' in message) return message.rows.map((row) => row['text'])
  return message.type === 'delta' && 'ops' in message ? textsOfOps(message.ops) : []
}

function watch({ gateway, headers }: Stand, actionId: string): Viewer {
  const socket = io(gateway.url, {
    path: '/socket.io/',
    transports: ['websocket'],
    forceNew: true,
    auth: { versions: [...PROTOCOL_VERSIONS], encodings: [PACKED_ENCODING], as: 'person' },
    extraHeaders: { ...headers, origin: gateway.url },
  })
  const viewer: Viewer = { socket, endedAt: null, delays: [] }
  const take = (text: unknown): void => {
    if (typeof text !== 'string') return
    if (text.endsWith('the end\n')) viewer.endedAt = performance.now()
    const now = Date.now()
    if (text.startsWith('at '))
      for (const [, ns] of text.matchAll(/^at (\d+)$/gm)) viewer.delays.push(now - Number(ns) / 1e6)
  }
  socket.on(LIVE_EVENT, (message: ServerMessage) => textsOf(message).forEach(take))
  socket.on('connect', () =>
    socket.emit(LIVE_EVENT, { type: 'subscribe', id: '1', topic: 'playbookOutput', params: { actionId } }),
  )
  return viewer
}

async function follow(stand: Stand, script: string, count: number) {
  const pid = stand.gateway.process.pid
  const before = residentMiB(pid)
  let most = before
  const { actionId } = await start(stand, script)
  const sampling = setInterval(() => {
    most = Math.max(most, residentMiB(pid))
  }, 100)
  const startedAt = performance.now()
  const viewers = Array.from({ length: count }, () => watch(stand, actionId))
  try {
    await until(() => viewers.every(({ endedAt }) => endedAt !== null), { maxMs: PATIENCE_MS, what: 'the last line' })
  } finally {
    clearInterval(sampling)
  }
  const times = viewers.map(({ endedAt }) => (endedAt ?? 0) - startedAt)
  for (const { socket } of viewers) socket.disconnect()
  return { times, delays: viewers.flatMap(({ delays }) => delays), before, most }
}

interface Seen {
  readonly frames: readonly number[]
  readonly longTasks: readonly number[]
}

const toFrames = ({ frames, longTasks }: Seen): string[] => [
  percentile(frames, 0.99).toFixed(0),
  Math.max(...frames).toFixed(0),
  `${longTasks.length} long tasks${longTasks.length === 0 ? '' : `, the longest ${Math.max(...longTasks).toFixed(0)} ms`}`,
]

/** One browser on the page of a run, from its first line to its last one; and what a person does there afterwards. */
async function draw(stand: Stand, browser: Browser, what: string, script: string, lines: number) {
  const { runId } = await start(stand, script)
  const { page, close } = await openConsole(browser, stand, `/playbooks/runs/${runId}`)
  try {
    await page.getByText('Waiting for output…').waitFor({ timeout: PATIENCE_MS })
    const empty = await measureMemory(browser, page)
    await page.locator('li[aria-setsize]').first().waitFor({ timeout: PATIENCE_MS })
    const { value: printing, longestMs } = await traceTasks(browser, page, () =>
      observeFrames(page, OBSERVED_MS, `li[aria-setsize="${lines + 1}"]`),
    )
    if (Math.max(...printing.frames) === -Infinity) throw new Error('no frame was seen')
    const full = await measureMemory(browser, page)
    const read = await scroll(page, lines)
    const memory = `${longestMs.toFixed(0)} ms of the processor for one task at most, heap ${empty.heap.toFixed(0)} → ${full.heap.toFixed(0)}, process ${empty.process.toFixed(0)} → ${full.process.toFixed(0)}`
    return [
      [`${what}: frames while it prints`, 1, ...toFrames(printing), memory],
      [`${what}: frames while it is scrolled through`, 1, ...toFrames(read), ''],
    ]
  } finally {
    await close()
  }
}

/** Through all lines in two seconds, as someone who drags the bar of the window does. */
async function scroll(page: Page, lines: number): Promise<Seen> {
  const moving = page.evaluate(async () => {
    const box = document.querySelector('[role="group"][aria-label$=": lines"]')
    if (box === null) throw new Error('there are no lines')
    for (let step = 0; step <= 100; step += 1) {
      box.scrollTop = ((100 - step) / 100) * box.scrollHeight
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  })
  const seen = await observeFrames(page, 2_000)
  await moving
  await page.locator('li[aria-posinset="1"]').waitFor({ timeout: PATIENCE_MS })
  await page
    .locator(`li[aria-setsize="${lines + 1}"]`)
    .first()
    .waitFor({ timeout: PATIENCE_MS })
  return seen
}

/** The list of runs while many of them start, go on and end. */
async function watchList(stand: Stand, browser: Browser): Promise<(string | number)[][]> {
  const step = { exec: { script: 'sleep 1' } }
  const id = await save(
    stand,
    Array.from({ length: STEPS }, (_, index) => ({ ...step, name: `step ${index}` })),
  )
  const { page, close } = await openConsole(browser, stand, '/playbooks/runs')
  try {
    await page.locator('[data-row]').first().waitFor({ timeout: PATIENCE_MS })
    let reads = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/db/playbook_runs')) reads += 1
    })
    const asking = Promise.all(Array.from({ length: RUNNING }, () => ask(stand, id)))
    const { value: seen, longestMs } = await traceTasks(browser, page, () => observeFrames(page, LIST_MS))
    await asking
    const shown = await page.getByRole('row').filter({ hasText: 'Running' }).count()
    const work = `${longestMs.toFixed(0)} ms of the processor for one task at most, ${reads} reads, ${shown} rows say Running`
    return [[`list of runs, ${RUNNING} started: frames`, 1, ...toFrames(seen), work]]
  } finally {
    await close()
  }
}

/** What still runs would be in the times of lists. */
async function untilAllEnded({ databaseUrl }: TestBackend): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  const haveEnded = async (): Promise<boolean> => {
    const { rowCount } = await pool.query(`select from playbook_runs where end_time is null limit 1`)
    return rowCount === 0
  }
  await until(haveEnded, { what: 'the end of all runs', maxMs: PATIENCE_MS })
  await pool.end()
}

async function insertRuns({ databaseUrl }: TestBackend): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl })
  await pool.query(
    `insert into playbooks (name, title, category, source, spec)
     select 'bench-' || n, 'Bench ' || n, 'Category ' || n % 20, 'UI', jsonb_build_object('actions', jsonb_build_array())
     from generate_series(1, ${PLAYBOOKS}) n`,
  )
  await pool.query(
    `insert into playbook_runs (playbook_id, status, created_at, scheduled_time, start_time, end_time)
     select id, (array['completed', 'failed', 'cancelled'])[1 + n % 3], at, at, at, at + interval '1 minute'
     from (select n, now() - n * interval '30 seconds' as at from generate_series(1, ${RUNS}) n) as moments
     join (select id, row_number() over () - 1 as nth from playbooks where name like 'bench-%') as books on nth = n % ${PLAYBOOKS}`,
  )
  await pool.query(
    `insert into playbook_run_actions (playbook_run_id, name, status, scheduled_time, start_time, end_time, error)
     select runs.id, 'step ' || n, state, runs.start_time, runs.start_time, runs.end_time,
       case when state = 'failed' then 'the command ended with exit code 1' end
     from playbook_runs as runs join playbooks as books on books.id = runs.playbook_id and books.name like 'bench-%',
       generate_series(1, ${STEPS_PER_RUN}) n,
       lateral (select case when n = ${STEPS_PER_RUN} then runs.status else 'completed' end as state) as states`,
  )
  for (const table of ['playbook_runs', 'playbook_run_actions', 'playbooks'])
    await pool.query(`vacuum analyze ${table}`)
  await pool.end()
}

interface Question {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the list of runs asks for at an address, as it asks. */
async function questionOf(stand: Stand, browser: Browser, address: string): Promise<Question> {
  const { page, close } = await openConsole(browser, stand, 'about:blank')
  try {
    const asked = page.waitForRequest((request) => request.url().includes('/api/db/playbook_runs?'))
    await page.goto(address)
    const request = await asked
    const { pathname, search } = new URL(request.url())
    const { prefer = '' } = request.headers()
    return { path: pathname + search, headers: { prefer } }
  } finally {
    await close()
  }
}

async function timeReads(stand: Stand, browser: Browser): Promise<(string | number)[][]> {
  const { backend, gateway } = stand
  const [book] = (await backend.callAsService('/db/playbooks?name=eq.bench-7&select=id')).json() as { id: string }[]
  const cards = '/api/db/playbooks?select=id,name,title,category,description,icon,source,updated_at&deleted_at=is.null'
  const list = '/playbooks/runs'
  const reads: { name: string; question: Question; limit: number }[] = [
    {
      name: `cards of ${PLAYBOOKS} playbooks`,
      question: { path: `${cards}&order=title.asc&limit=2000`, headers: {} },
      limit: FIRST_PAGE_LIMIT_MS,
    },
  ]
  for (const [name, address, limit] of [
    ['first page of runs, with count', list, FIRST_PAGE_LIMIT_MS],
    ['runs of one playbook', `${list}?playbook=${book?.id}`, FILTER_LIMIT_MS],
    ['failed runs', `${list}?status=failed`, FILTER_LIMIT_MS],
    ['runs of one status that nobody has', `${list}?status=sleeping`, FILTER_LIMIT_MS],
  ] as const)
    reads.push({ name, question: await questionOf(stand, browser, address), limit })
  const rows: (string | number)[][] = []
  for (const { name, question, limit } of reads) {
    const samples: number[] = []
    for (let round = 0; round < REPEATS; round++) {
      const startedAt = performance.now()
      const answer = await fetch(gateway.url + question.path, { headers: { ...stand.headers, ...question.headers } })
      await answer.text()
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
      samples.push(performance.now() - startedAt)
    }
    rows.push(toDelays(name, samples, limit))
  }
  return rows
}

const toDelays = (what: string, samples: readonly number[], limit: number | string): (string | number)[] => [
  what,
  '',
  percentile(samples, 0.5).toFixed(0),
  percentile(samples, 0.95).toFixed(0),
  limit,
  '',
]

/** The list of runs on screen: from a click on what leads to it, and from the choice of a filter, to the first row. */
async function timeList(stand: Stand, browser: Browser): Promise<(string | number)[][]> {
  const opened: number[] = []
  const filtered: number[] = []
  for (let round = 0; round < PAGE_REPEATS; round++) {
    const { page, close } = await openConsole(browser, stand, '/playbooks')
    try {
      await page.getByRole('button', { name: 'Runs', exact: true }).waitFor({ timeout: PATIENCE_MS })
      // Nobody clicks before the page from where they come is there.
      await page.getByRole('heading', { name: 'Bench 1', exact: true }).waitFor({ timeout: PATIENCE_MS })
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      opened.push(await timeRow(page, 'Runs', ''))
      filtered.push(await timeRow(page, 'Status', 'Failed'))
    } finally {
      await close()
    }
  }
  return [
    toDelays('in Chromium: list of runs opened, to its first row', opened, FIRST_PAGE_LIMIT_MS),
    toDelays('in Chromium: failed runs chosen, to their first row', filtered, FILTER_LIMIT_MS),
  ]
}

/**
 * From a command, or the choice in a field, to rows that all have a word, in a frame that is drawn. Without named functions: the
 * compiler marks those with a helper of its own.
 */
function timeRow(page: Page, control: string, word: string): Promise<number> {
  return page.evaluate(
    async ([name, awaited]) => {
      const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
      const target = label === undefined ? button : document.getElementById(label.htmlFor)
      if (!target) throw new Error(`there is no ${name}`)
      const startedAt = performance.now()
      if (target instanceof HTMLSelectElement) {
        target.value = awaited.toLowerCase()
        target.dispatchEvent(new Event('change', { bubbles: true }))
      } else target.click()
      for (;;) {
        // Dividers of days lead nowhere.
        const rows = [...document.querySelectorAll('tr[data-row]:has(a)')].map(({ textContent }) => textContent)
        if (rows.length > 0 && rows.every((text) => text.includes(awaited))) break
        if (performance.now() - startedAt > 60_000) throw new Error(`there are other rows than ${awaited}: ${rows[0]}`)
        await new Promise(requestAnimationFrame)
      }
      await new Promise(requestAnimationFrame)
      return performance.now() - startedAt
    },
    [control, word] as const,
  )
}

/** From the clock of a script that prints ten lines a second to the text on its page. */
async function timeWriteToScreen(stand: Stand, browser: Browser): Promise<(string | number)[]> {
  const { runId } = await start(stand, slow(PAGE_FIRST_S))
  const { page, close } = await openConsole(browser, stand, `/playbooks/runs/${runId}`)
  try {
    await page.getByText('Waiting for output…').waitFor({ timeout: PATIENCE_MS })
    const delays = await page.evaluate(
      (count) =>
        new Promise<number[]>((resolve) => {
          const seen = new Set<string>()
          const found: number[] = []
          new MutationObserver((_changes, observer) => {
            const now = performance.timeOrigin + performance.now()
            for (const line of document.querySelectorAll('li[aria-setsize]')) {
              const [, ns] = /at (\d{16,})/.exec(line.textContent) ?? []
              if (ns === undefined || seen.has(ns)) continue
              seen.add(ns)
              found.push(now - Number(ns) / 1e6)
            }
            if (found.length < count) return
            observer.disconnect()
            resolve(found)
          }).observe(document.body, { childList: true, characterData: true, subtree: true })
        }),
      SLOW_LINES,
    )
    return toDelays('10 lines/s: printed to the text on a page', delays, DELAY_LIMIT_MS)
  } finally {
    await close()
  }
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const gateway = await startGatewayProcess({ backend, port: await freePort(), isOwn: true })
  const session = await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)
  const token = session['x-session-token']
  const headers = { ...session, cookie: `ory_kratos_session=${token}` }
  const stand: Stand = { backend, gateway, headers, url: gateway.url, session: token }
  const browser = await launchBrowser()
  try {
    const rows: (string | number)[][] = []
    for (const count of VIEWERS) {
      const { times, before, most } = await follow(stand, FAST, count)
      const memory = `${before.toFixed(0)} → ${most.toFixed(0)}`
      const [p50, last] = [percentile(times, 0.5), Math.max(...times)].map((ms) => ms.toFixed(0))
      rows.push([`${LINES} lines, 10 MB: last line`, count, p50 ?? '', last ?? '', '', memory])
    }
    for (const count of VIEWERS.slice(0, 2)) {
      const { delays, before, most } = await follow(stand, slow(1), count)
      const memory = `${before.toFixed(0)} → ${most.toFixed(0)}`
      const [p50, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)].map((ms) => ms.toFixed(0))
      rows.push(['10 lines/s: printed to socket', count, p50 ?? '', p95 ?? '', DELAY_LIMIT_MS, memory])
    }
    rows.push(await timeWriteToScreen(stand, browser))
    const drawn: (string | number)[][] = [
      ...(await draw(stand, browser, `${LINES} lines at once`, blocks(PAGE_FIRST_S, LINES / 1_000), LINES)),
      ...(await draw(
        stand,
        browser,
        `${STEADY_PER_SECOND} lines/s`,
        blocks(PAGE_FIRST_S, (STEADY_PER_SECOND * STEADY_SECONDS) / 1_000, `sleep ${1_000 / STEADY_PER_SECOND};`),
        STEADY_PER_SECOND * STEADY_SECONDS,
      )),
    ]
    await insertRuns(backend)
    drawn.push(...(await watchList(stand, browser)))
    await untilAllEnded(backend)
    rows.push(...(await timeReads(stand, browser)), ...(await timeList(stand, browser)))
    return {
      title: `Runs of playbooks: output to many, and ${RUNS} runs of ${PLAYBOOKS} playbooks`,
      columns: ['what', 'viewers', 'p50 ms', 'p95 ms (of last lines: the last)', 'may be ms', 'gateway MiB'],
      rows: [...rows, ['in Chromium', 'pages', 'p99 ms', 'longest ms', `may be ${FRAME_LIMIT_MS} ms`, 'MiB'], ...drawn],
      notes: [
        'The script waits a second before it prints, which is in the times of last lines. Viewers ask for packed messages, as browsers do, and share one process with the bench, which unpacks what they all get once.',
        'In Chromium: milliseconds between frames, drawn in software; tasks of 50 ms and more; memory after a collection.',
        `Load average at the end: ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}.`,
        `Lists are asked through the gateway for what their page asks for, ${STEPS_PER_RUN} steps for each run in the table; in Chromium ${PAGE_REPEATS} times, each with the first look at the list's scripts.`,
      ],
    }
  } finally {
    await browser.close()
    await gateway.stop()
    await backend.stop()
  }
}
