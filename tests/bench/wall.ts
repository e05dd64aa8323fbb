// A wallboard in a real browser for as long as asked: does it stay as quick, and as small, as it was in the beginning?
import { fileURLToPath } from 'node:url'

import type { CDPSession } from 'playwright'

import { startBoardUpstream } from '../support/boardUpstream.ts'
import { launchBrowser } from '../support/consolePage.ts'
import { startGateway } from '../support/gateway.ts'
import { observeFrames } from '../support/observeFrames.ts'
import { type BenchTable, percentile } from './table.ts'

const TILES = 300
const CHANGES_PER_SECOND = 50
const TICKS_PER_SECOND = 10
/** A day: `WALL_MINUTES=1440 npm run bench wall`. */
const MINUTES = Number(process.env['WALL_MINUTES'] ?? 2)
/** Memory settles first: compiled code, caches of the browser. */
const WARM_UP_MS = 20_000
const SAMPLES = 12
const PATIENCE_MS = 60_000

const WEB_ROOT = process.env['WALL_WEB_ROOT'] ?? fileURLToPath(new URL('../../web/dist', import.meta.url))

interface Sample {
  readonly atMs: number
  readonly heapMiB: number
  readonly nodes: number
}

const wait = (durationMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, durationMs)
  })

/** Memory that is still in use after a collection, and nodes of the document and those that scripts still hold. */
async function measure(session: CDPSession, atMs: number): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { atMs, heapMiB: usedSize / 2 ** 20, nodes }
}

/** Least squares: what grows, grows by this much in an hour. */
function slopePerHour(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const mean = samples.reduce((sum, sample) => sum + value(sample), 0) / samples.length
  const above = samples.reduce((sum, sample) => sum + (sample.atMs - meanAt) * (value(sample) - mean), 0)
  const below = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  return (above / below) * 3_600_000
}

export async function run(): Promise<BenchTable> {
  const browser = await launchBrowser()
  const upstream = await startBoardUpstream(TILES)
  // The upstream tells nobody of its changes: the gateway asks as often as a database would have told it.
  const gateway = await startGateway({ backend: upstream.backend, webRoot: WEB_ROOT })
  const changes = setInterval(() => {
    upstream.change(CHANGES_PER_SECOND / TICKS_PER_SECOND)
    gateway.gateway.wake()
  }, 1_000 / TICKS_PER_SECOND)
  try {
    const { session: cookie } = await gateway.signInAs('admin')
    const context = await browser.newContext({ viewport: { width: 2560, height: 1440 }, baseURL: gateway.url })
    await context.addCookies([{ name: 'ory_kratos_session', value: cookie, url: gateway.url }])
    const page = await context.newPage()
    await page.goto('/wall')
    await page.locator('main li').first().waitFor({ timeout: PATIENCE_MS })
    const tiles = await page.locator('main li').count()
    await wait(WARM_UP_MS)

    const session = await context.newCDPSession(page)
    const samples: Sample[] = []
    const frames: number[] = []
    const startedAt = performance.now()
    const before = upstream.changes()
    const lastMs = MINUTES * 60_000
    for (let round = 0; round <= SAMPLES; round += 1) {
      samples.push(await measure(session, performance.now() - startedAt))
      const remainingMs = (lastMs * (round + 1)) / SAMPLES - (performance.now() - startedAt)
      // A day of frames would be five million numbers in the page; a minute of each stretch tells as much.
      if (round === SAMPLES) continue
      frames.push(...(await observeFrames(page, Math.min(60_000, Math.max(0, remainingMs)))).frames)
      await wait(Math.max(0, remainingMs - 60_000))
    }
    const tookMs = performance.now() - startedAt
    const rate = ((upstream.changes() - before) * 1_000) / tookMs
    const last = samples.at(-1)
    await context.close()
    return {
      title: 'Wallboard over time',
      columns: [
        'tiles',
        'minutes',
        'changes/s',
        'frame p50 ms',
        'p99 ms',
        'longest ms',
        'heap MiB',
        'heap MiB/h',
        'DOM nodes',
        'nodes/h',
      ],
      rows: [
        [
          tiles,
          (tookMs / 60_000).toFixed(1),
          Math.round(rate),
          percentile(frames, 0.5).toFixed(1),
          percentile(frames, 0.99).toFixed(1),
          percentile(frames, 1).toFixed(1),
          (last?.heapMiB ?? Number.NaN).toFixed(1),
          slopePerHour(samples, ({ heapMiB }) => heapMiB).toFixed(1),
          last?.nodes ?? 0,
          Math.round(slopePerHour(samples, ({ nodes }) => nodes)),
        ],
      ],
      notes: [
        `Heap after a forced collection, by sample: ${samples.map(({ heapMiB }) => heapMiB.toFixed(2)).join(', ')} MiB.`,
        'One change in ten is one of health: its tile flashes, and the tiles change places. 2560 × 1440, drawn in software.',
        'Slopes are least squares over the samples; over a few minutes they say little, over hours they shall be zero.',
        'Each sample stops the page for a collection: the longest frames are those.',
        'Minutes: WALL_MINUTES, 1440 for a day.',
      ],
    }
  } finally {
    clearInterval(changes)
    await gateway.stop()
    await upstream.backend.stop()
    await browser.close()
  }
}
