// A page of the console in a real browser, to be measured.
import { type Browser, chromium, type Page } from 'playwright'

import { residentMiB } from './processes.ts'

const MIB = 2 ** 20

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(process.env['WATCHROOM_CHROMIUM'] ? { executablePath: process.env['WATCHROOM_CHROMIUM'] } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

interface ConsolePage {
  readonly page: Page
  readonly close: () => Promise<void>
}

/** @param session value of the session cookie */
export async function openConsole(
  browser: Browser,
  gateway: { readonly url: string; readonly session: string },
  path: string,
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: gateway.url })
  await context.addCookies([{ name: 'ory_kratos_session', value: gateway.session, url: gateway.url }])
  const page = await context.newPage()
  await page.goto(path)
  return { page, close: () => context.close() }
}

/** MiB of the page after a collection: what its scripts hold, and the largest process that draws. Linux only. */
export async function measureMemory(browser: Browser, page: Page): Promise<{ heap: number; process: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  const whole = await browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  await whole.detach()
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentMiB(id))
  return { heap: usedSize / MIB, process: Math.max(...sizes) }
}
