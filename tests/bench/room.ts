// A small and a large incident in a real browser, alone and with 60 people typing: a real gateway and backend, raw clients.
// Gateway, backend, people who type and browser are processes of their own, as they are in the product.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Browser, BrowserContext, Page } from 'playwright'

import { launchBrowser } from '../support/consolePage.ts'
import { startEmbeddedBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { type SignedInPerson, signInPerson } from '../support/incidentGateway.ts'
import type { TypistsCommand, TypistsReport, TypistsTask } from '../support/incidentTypists.ts'
import { type IncidentSize, type SeededIncident, seedLargeIncident } from '../support/largeIncident.ts'
import { until } from '../support/processes.ts'
import { type BenchTable, percentile } from './table.ts'

const SIZES: readonly (IncidentSize & { name: string })[] = [
  { name: 'small', hypotheses: 3, comments: 4, evidence: 2 },
  { name: 'large', hypotheses: 300, comments: 2_000, evidence: 200 },
]

/** What is open, and the field that is typed into. */
const VIEWS = [
  { name: 'comments', query: '', row: 'article', field: '[aria-label="Comment"]' },
  { name: 'plan', query: '?tab=action-plan', row: '[role="treeitem"]', field: 'aside textarea' },
  {
    name: 'plan, all open',
    query: '?tab=action-plan&comments=true',
    row: '[role="treeitem"]',
    field: 'aside textarea',
  },
] as const

const PEOPLE = 60
/** Of one person, about 30 words a minute: half of them in titles, half in comments. */
const KEY_EVERY_MS = 400
const KEYS = 60
/** Where keys take seconds, fewer tell the same. */
const TYPING_MS = 20_000
const PAUSE_MS = 70
/** Scripts, style sheets and a large document may take this long on a busy machine. */
const PATIENCE_MS = 60_000

/** One part alone: `ROOM_ONLY='large plan' npm run bench room`; several are parted by semicolons. */
const ONLY = process.env['ROOM_ONLY']?.split(';').map((part) => part.trim()) ?? null
/** In front of someone else's backend, which is asked again and again what each of those who type may do: `ROOM_BACKEND=foreign`. */
const IS_FOREIGN = process.env['ROOM_BACKEND'] === 'foreign'
/** Openings of which the median and the slowest are told. */
const OPENINGS = 3

const TYPISTS = fileURLToPath(new URL('../support/incidentTypists.ts', import.meta.url))

const wait = (durationMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, durationMs)
  })

async function openContext(
  browser: Browser,
  url: string,
  person: SignedInPerson,
  row: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url })
  await context.addCookies([{ name: 'ory_kratos_session', value: person.session, url }])
  // By the page itself: asking it from outside waits for whatever it does next.
  await context.addInitScript((selector) => {
    const watch = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return
      watch.disconnect()
      requestAnimationFrame(() => {
        // The first task behind the frame.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => Object.assign(globalThis, { openedMs: performance.now() }), {
          once: true,
        })
        port1.start()
        port2.postMessage(null)
      })
    })
    watch.observe(document, { childList: true, subtree: true })
  }, row)
  return context
}

/** Milliseconds from navigation until the frame with the first row is drawn. */
async function timeOpening(page: Page): Promise<number> {
  const opened = await page.waitForFunction(() => (globalThis as { openedMs?: number }).openedMs, undefined, {
    timeout: PATIENCE_MS,
  })
  return (await opened.jsonValue()) ?? 0
}

/** Milliseconds from the key, as the browser took it, until the frame with its effect is drawn. */
async function timeKeys(page: Page, field: string): Promise<number[]> {
  const target = page.locator(field).first()
  await target.waitFor({ timeout: PATIENCE_MS })
  await target.focus()
  // Without named functions: the compiler marks those with a helper of its own.
  await page.evaluate(() => {
    const times: number[] = []
    ;(globalThis as { keyTimes?: number[] }).keyTimes = times
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          // The first task behind the frame.
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => times.push(performance.now() - timeStamp), { once: true })
          port1.start()
          port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
  const endsAt = performance.now() + TYPING_MS
  for (let index = 0; index < KEYS && performance.now() < endsAt; index++) {
    await page.keyboard.type('looking at it '.charAt(index % 14))
    await wait(PAUSE_MS)
  }
  await wait(1_000)
  return page.evaluate(() => (globalThis as { keyTimes?: number[] }).keyTimes ?? [])
}

/** Elements and texts of the page. */
function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL)
    let count = 1
    while (walker.nextNode() !== null) count += 1
    return count
  })
}

interface Typists {
  readonly start: () => Promise<TypistsReport>
  readonly stop: () => Promise<TypistsReport>
  readonly close: () => Promise<void>
}

async function openTypists(task: TypistsTask): Promise<Typists> {
  const child = spawn(process.execPath, ['--import', 'tsx', TYPISTS], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const tell = async (command: TypistsCommand): Promise<TypistsReport> => {
    const answer = once(child, 'message')
    child.send(command)
    const [report] = (await answer) as [TypistsReport]
    return report
  }
  await tell({ kind: 'open', task })
  return {
    start: () => tell({ kind: 'start' }),
    stop: () => tell({ kind: 'stop' }),
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

interface Measured {
  readonly openMs: readonly number[]
  readonly crowdedOpenMs: readonly number[]
  readonly nodes: number
  readonly alone: readonly number[]
  readonly crowded: readonly number[]
  readonly typed: TypistsReport
  /** Longest turn of the gateway's event loop while people typed. */
  readonly turnMs: number
}

interface Stage {
  readonly browser: Browser
  readonly gateway: GatewayProcess
  readonly reader: SignedInPerson
  readonly typists: Typists
}

async function measure(stage: Stage, incident: SeededIncident, view: (typeof VIEWS)[number]): Promise<Measured> {
  const { browser, gateway, reader, typists } = stage
  const path = `/incidents/${incident.id}${view.query}`
  const openMs: number[] = []
  let context = await openContext(browser, gateway.url, reader, view.row)
  let page = await context.newPage()
  for (let index = 0; index < OPENINGS; index++) {
    await context.close()
    context = await openContext(browser, gateway.url, reader, view.row)
    page = await context.newPage()
    await page.goto(path)
    openMs.push(await timeOpening(page))
    await wait(1_000)
  }
  await wait(1_000)
  const nodes = await countNodes(page)
  const alone = await timeKeys(page, view.field)
  await gateway.eventLoopDelayMs()
  await typists.start()
  await wait(3_000)
  const crowdedOpenMs: number[] = []
  for (let index = 0; index < OPENINGS; index++) {
    await page.reload()
    crowdedOpenMs.push(await timeOpening(page))
    await wait(1_000)
  }
  await wait(1_000)
  const crowded = await timeKeys(page, view.field)
  const typed = await typists.stop()
  const turnMs = await gateway.eventLoopDelayMs()
  await context.close()
  return { openMs, crowdedOpenMs, nodes, alone, crowded, typed, turnMs }
}

const both = (samples: readonly number[], share: number): string =>
  `${percentile(samples, 0.5).toFixed(0)} / ${percentile(samples, share).toFixed(0)}`

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const gateway = await startGatewayProcess({ backend, port: await freePort(), isOwn: !IS_FOREIGN })
  const browser = await launchBrowser()
  const rows: (string | number)[][] = []
  try {
    await until(async () => (await fetch(`${gateway.url}/readyz`)).ok, { what: 'ready', maxMs: 30_000 })
    // Documents are served once the gateway's own database is at hand.
    await wait(1_500)
    // Moderators, who may change what others wrote.
    const reader = await signInPerson(backend, 'commander')
    const people: SignedInPerson[] = []
    for (let index = 0; index < PEOPLE; index++) people.push(await signInPerson(backend, 'commander'))
    for (const size of SIZES) {
      const views = VIEWS.filter(({ name }) => ONLY === null || ONLY.includes(`${size.name} ${name}`))
      if (views.length === 0) continue
      const incident = await seedLargeIncident(backend, reader.id, size)
      const typists = await openTypists({
        url: gateway.url,
        incidentId: incident.id,
        people,
        hypothesisIds: incident.hypothesisIds,
        commentIds: incident.commentIds,
        keyEveryMs: KEY_EVERY_MS,
      })
      for (const view of views) {
        // What was typed before is written back first.
        await wait(5_000)
        const { openMs, crowdedOpenMs, nodes, alone, crowded, typed, turnMs } = await measure(
          { browser, gateway, reader, typists },
          incident,
          view,
        )
        rows.push([
          size.name,
          view.name,
          both(openMs, 1),
          both(crowdedOpenMs, 1),
          nodes.toLocaleString('en'),
          both(alone, 0.95),
          both(crowded, 0.95),
          both(typed.ackMs, 0.95),
          turnMs.toFixed(0),
          typed.closed + typed.refused,
        ])
        console.error(rows.at(-1)?.join(' | '))
      }
      await typists.close()
    }
  } finally {
    await browser.close()
    await gateway.stop()
    await backend.stop()
  }
  return {
    title: `An incident in the browser${IS_FOREIGN ? ', in front of a foreign backend' : ''}`,
    columns: [
      'incident',
      'view',
      'opening p50 / slowest',
      `with ${PEOPLE} typing`,
      'nodes',
      'key p50 / p95',
      `with ${PEOPLE} typing`,
      'edit acknowledged p50 / p95',
      'longest turn',
      'failures',
    ],
    rows,
    notes: [
      'Small: 3 hypotheses, 4 comments, 2 pieces of evidence. Large: 300, 2,000 and 200. All times in milliseconds.',
      `Key: from the key until the frame behind it is drawn, ${KEYS} keys in the comment box or the description. Target: p95 ≤ 50 ms.`,
      `Opening: from navigation until the frame with the first row is drawn, ${OPENINGS} times, each with a cold browser cache; with others, a reloaded page with a warm one. Target ≤ 1,500 ms. Nodes: elements and texts. Target ≤ 5,000.`,
      `With others: ${PEOPLE} people who type a letter every ${KEY_EVERY_MS} ms each, half of them in titles, half in comments. Edit acknowledged: from their letter to its durable acknowledgement.`,
      'Longest turn: the longest time one turn of the gateway’s event loop kept its processor busy while they typed. Failures: closed sockets and refused edits.',
      'Gateway, backend, database, the people who type and the browser, which draws in software, share the machine.',
    ],
  }
}
