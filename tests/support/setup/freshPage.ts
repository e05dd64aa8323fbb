// Before each file of the project `web`, whose workers keep what they loaded from node_modules: our own modules are evaluated
// again, in a page that nobody was at before. Afterwards the page goes, and so does what the file put beside it.
import { setImmediate } from 'node:timers/promises'

import { afterAll, afterEach, vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

declare global {
  // Of the file before, which comes to no hook of its own when it cannot be loaded.
  var leavePage: (() => Promise<void>) | undefined
}

await globalThis.leavePage?.()
if ('document' in globalThis) {
  throw new Error('Files of this project have a page: take the line "@vitest-environment" out.')
}

const before = new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
vi.resetModules()
const timers = new Set<NodeJS.Timeout>()
/** The same function, which remembers what it started. */
const remembering = <Start extends (...given: never[]) => unknown>(start: Start): Start =>
  new Proxy(start, {
    apply: (target, self, given) => {
      const timer = Reflect.apply(target, self, given) as NodeJS.Timeout
      timers.add(timer)
      return timer
    },
  })
globalThis.setTimeout = remembering(globalThis.setTimeout)
globalThis.setInterval = remembering(globalThis.setInterval)
const page = await builtinEnvironments['happy-dom'].setup(globalThis, {})

globalThis.leavePage = async () => {
  // What React still has to do needs the page.
  do await setImmediate()
  while (process.getActiveResourcesInfo().includes('Immediate'))
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // As in a browser, where they end with the page: a toast that nobody waited for would look for its window.
  for (const timer of timers) clearTimeout(timer)
  await page.teardown(globalThis)
  for (const name of ['setTimeout', 'setInterval']) Reflect.defineProperty(globalThis, name, before.get(name) ?? {})
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!before.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  const changed = [...before].filter(
    // Node replaces some getters by what they got.
    ([name, was]) => 'value' in was && !Object.is(Reflect.get(globalThis, name), was.value),
  )
  if (changed.length > 0) throw new Error(`the file left other globals behind: ${changed.map(([name]) => name).join()}`)
}

// Registered first, so it runs after the hooks of the file itself.
afterAll(() => globalThis.leavePage?.())
// Of the tab: what one test left unsaved is not back in the next.
afterEach(() => sessionStorage.clear())
