/** The name is the one in `public/offline.js`. */
const CACHE = 'watchroom-page'

let stragglers: PerformanceObserver | null = null

const wentPastWorker = (entry: PerformanceEntry): boolean =>
  entry instanceof PerformanceResourceTiming && entry.workerStart === 0

/**
 * Makes an open incident survive a reload without a network. Browsers allow that only over https and on this machine; elsewhere
 * edits are kept as well, but a reload needs the gateway.
 */
export async function cachePage(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/offline.js')
    const { active } = await navigator.serviceWorker.ready
    const keep = (entries: readonly PerformanceEntry[]): void => {
      const urls = entries.map(({ name }) => name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a service worker is of this origin
      if (urls.length > 0) active?.postMessage({ kind: 'keep', urls })
    }
    keep(performance.getEntriesByType('resource'))
    // Requests still in flight were made before the worker took over.
    stragglers?.disconnect()
    stragglers = new PerformanceObserver((list) => keep(list.getEntries().filter(wentPastWorker)))
    stragglers.observe({ type: 'resource' })
  } catch {
    // Private windows may forbid it.
  }
}

/** The next person must not find who was here before. */
export async function forgetPage(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return
  const registration = await navigator.serviceWorker.getRegistration()
  await registration?.unregister()
  await caches.delete(CACHE)
}
