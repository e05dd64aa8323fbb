// Opens an incident again without a network: its page, the page's files, and the last answers to who is looking. The
// document itself is in the browser's database. Registered by `src/collab/cachePage.ts` once someone opened an incident;
// while there is a network, everything comes from the gateway.

const CACHE = 'watchroom-page'
/** One page serves every incident. */
const PAGE = '/incidents/'
/** Without these answers the page does not know who is looking and shows nothing; the file has no hash in its name. */
const KEPT = new Set(['/api/auth/whoami', '/api/db/people_roles', '/api/db/people', '/api/properties', '/favicon.svg'])

const isIncident = ({ pathname }) => /^\/incidents\/[\da-f-]{36}$/i.test(pathname)
/** Their names change with their contents. */
const isHashed = ({ pathname }) => pathname.startsWith('/assets/')
const isCacheable = ({ pathname, search }) =>
  KEPT.has(pathname) || (pathname === '/api/db/incidents' && search.startsWith('?id=eq.'))

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (isIncident(url)) event.respondWith(fromNetwork(request, PAGE, cachePage))
  } else if (isHashed(url)) event.respondWith(fromCache(request))
  else if (isCacheable(url)) event.respondWith(fromNetwork(request, request, keep))
})

/** What the first page had loaded before this program stood between it and the network. */
self.addEventListener('message', (event) => {
  if (event.data?.kind === 'keep' && Array.isArray(event.data.urls)) event.waitUntil(keepLoaded(event.data.urls))
})

async function keepLoaded(urls) {
  // The gateway answers with its page only who asks for one.
  const page = await fetch(PAGE, { headers: { accept: 'text/html' } }).catch(() => null)
  if (page?.ok) await cachePage(PAGE, page)
  for (const address of new Set(urls)) {
    const url = new URL(address)
    if (url.origin !== self.location.origin || !(isHashed(url) || isCacheable(url))) continue
    await (isHashed(url) ? fromCache(address) : fromNetwork(address, address, keep)).catch(() => null)
  }
}

/** The network's answer, which is kept; without a network the kept one. */
async function fromNetwork(request, key, keepAnswer) {
  let response
  try {
    response = await ask(request)
  } catch (error) {
    const kept = await find(key)
    if (kept === undefined) throw error
    return kept
  }
  // The session is over: nothing of it may be shown to whoever comes next.
  if (response.status === 401) await caches.delete(CACHE)
  else if (response.ok) await keepAnswer(key, response.clone())
  return response
}

async function fromCache(request) {
  const kept = await find(request)
  if (kept !== undefined) return kept
  const response = await ask(request)
  if (response.ok) await keep(request, response.clone())
  return response
}

/** An answer that breaks off because the network goes is none: it must not take the place of the kept one, here or there. */
async function ask(request) {
  const response = await fetch(request)
  await response.clone().arrayBuffer()
  return response
}

async function find(key) {
  const cache = await caches.open(CACHE)
  return cache.match(key, { ignoreVary: true })
}

/** Keeping is a service, no duty: a full disk must not cost the answer itself. */
async function keep(key, response) {
  try {
    const cache = await caches.open(CACHE)
    await cache.put(key, response)
  } catch {
    // No room, or storage is forbidden.
  }
}

/** Another page is another release: the files of the former one are not needed any more. */
async function cachePage(key, response) {
  const kept = await find(key)
  if (kept !== undefined && (await kept.text()) !== (await response.clone().text())) {
    const cache = await caches.open(CACHE)
    const former = (await cache.keys()).filter((request) => isHashed(new URL(request.url)))
    await Promise.all(former.map((request) => cache.delete(request)))
  }
  await keep(key, response)
}
