// How long the topology takes in a browser, from the address to its first cards.
import type { Browser, BrowserContext } from 'playwright'

import { cpuMs, until } from './processes.ts'

/** Nothing that is measured was still at work on what came before. */
const IDLE = { windowMs: 1_000, share: 0.05 } as const
const MARK = 'first-cards'

interface Opening {
  readonly url: string
  /** Value of the session cookie. */
  readonly session: string
  readonly path: string
  readonly openings: number
  /** Each in a context of its own: nothing is in its cache. Otherwise everything is but the page and its data. */
  readonly isCold: boolean
}

/**
 * Milliseconds from the address until a frame with the first cards was drawn, once an opening, by the clock of the page itself: what the
 * driver says and hears is not in it. One more opening before them starts the browser and its processes.
 */
export async function timeFirstCards(browser: Browser, { openings, isCold, ...opening }: Opening): Promise<number[]> {
  const times: number[] = []
  let context = await newContext(browser, opening)
  await openCards(context, opening.path)
  for (let at = 0; at < openings; at++) {
    if (isCold) {
      await context.close()
      context = await newContext(browser, opening)
    }
    times.push(await openCards(context, opening.path))
  }
  await context.close()
  return times
}

async function newContext(
  browser: Browser,
  { url, session }: Pick<Opening, 'url' | 'session'>,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url })
  await context.addCookies([{ name: 'ory_kratos_session', value: session, url }])
  await context.addInitScript((mark) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[data-component]') === null) return
      observer.disconnect()
      // Only the frame after the next one begins when the cards are drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(mark)))
    }).observe(document, { childList: true, subtree: true })
  }, MARK)
  return context
}

async function openCards(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage()
  await page.goto(path)
  const marked = await page.waitForFunction((mark) => performance.getEntriesByName(mark)[0]?.startTime, MARK)
  const ms = await marked.jsonValue()
  if (ms === undefined) throw new Error('the page has forgotten when its cards were drawn')
  await page.close()
  return ms
}

/** Awaits a second in which each of the processes had next to nothing to do. */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  const rest = async (): Promise<boolean> => {
    const before = pids.map(cpuMs)
    await new Promise((resolve) => setTimeout(resolve, IDLE.windowMs))
    return pids.every((pid, at) => cpuMs(pid) - (before[at] ?? 0) <= IDLE.windowMs * IDLE.share)
  }
  await until(rest, { what: 'a second of rest', maxMs: 120_000 })
}
