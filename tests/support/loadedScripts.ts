import type { Page } from 'playwright'

export interface LoadedScript {
  readonly name: string
  readonly encodedBodySize: number
}

/** Browsers that know brotli get less; gzip is what an old proxy leaves. */
export const AS_GZIP = { 'accept-encoding': 'gzip' }

/** Every script that the page has loaded by now, as the browser counts them. */
export const loadedScripts = (page: Page): Promise<LoadedScript[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
  )

export const toBytes = (scripts: readonly LoadedScript[]): number =>
  scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
