import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'

import { beforeEach, describe, expect, it } from 'vitest'

const ORIGIN = 'https://watch.example.test'
const PAGE = '/incidents/11111111-1111-4111-8111-111111111111?tab=action-plan'

interface Asked {
  readonly mode?: string
  readonly method?: string
}
type Handler = (event: object) => void

let handlers: Map<string, Handler>
/** What the network answers by path; a path that is missing is a network that is gone. */
let network: Map<string, () => Response>
let asked: string[]
let stores: Map<string, Map<string, Response>>

const toPath = (request: string | Request | { url: string }): string => {
  const { pathname, search } = new URL(typeof request === 'string' ? request : request.url, ORIGIN)
  return pathname + search
}

/** The browser's cache storage in memory. */
const caches = {
  open: async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    return {
      match: async (key: string) => store.get(toPath(key))?.clone(),
      put: async (key: string, response: Response) => void store.set(toPath(key), response),
      keys: async () => [...store.keys()].map((path) => ({ url: ORIGIN + path })),
      delete: async (key: { url: string }) => store.delete(toPath(key)),
    }
  },
  delete: async (name: string) => stores.delete(name),
}

beforeEach(() => {
  handlers = new Map()
  network = new Map()
  asked = []
  stores = new Map()
  const self = {
    location: new URL(ORIGIN),
    addEventListener: (type: string, handler: Handler) => void handlers.set(type, handler),
  }
  const fetch = async (request: string | Request) => {
    const path = toPath(request)
    asked.push(path)
    const answer = network.get(path)
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return answer()
  }
  vm.runInNewContext(readFileSync(join(import.meta.dirname, '../../../web/public/offline.js'), 'utf8'), {
    self,
    caches,
    fetch,
    URL,
    Set,
  })
})

/** What the page gets for a request; `untouched` when it goes to the network as if nothing stood between. */
async function get(path: string, { mode = 'cors', method = 'GET' }: Asked = {}): Promise<string> {
  const answers: Promise<Response>[] = []
  handlers.get('fetch')?.({
    request: { url: new URL(path, ORIGIN).href, mode, method },
    respondWith: (given: Promise<Response>) => void answers.push(given),
  })
  const response = await answers[0]
  if (response === undefined) return 'untouched'
  return `${response.status} ${await response.text()}`
}

const says =
  (text: string, status = 200) =>
  () =>
    new Response(text, { status })

describe('the page of an incident without a network', () => {
  it('is the one that was last loaded, with its files and with who was looking', async () => {
    network.set(PAGE, says('page'))
    network.set('/assets/room-1.js', says('code'))
    network.set('/api/auth/whoami', says('ana'))
    const ask = async () => [
      await get(PAGE, { mode: 'navigate' }),
      await get('/assets/room-1.js'),
      await get('/api/auth/whoami'),
    ]
    expect(await ask()).toEqual(['200 page', '200 code', '200 ana'])
    network.clear()
    expect(await ask()).toEqual(['200 page', '200 code', '200 ana'])
  })

  it('asks the network first for all that may have changed', async () => {
    for (const text of ['ana', 'bo']) {
      network.set('/api/auth/whoami', says(text))
      expect(await get('/api/auth/whoami')).toBe(`200 ${text}`)
    }
    network.set('/api/auth/whoami', says('no backend', 503))
    expect(await get('/api/auth/whoami')).toBe('503 no backend')
  })

  it('takes an answer that breaks off for none, and keeps the former one', async () => {
    const path = '/api/db/incidents?id=eq.1'
    const breaksOff = (): Response =>
      new Response(
        new ReadableStream({
          start: (body) => {
            body.enqueue(new TextEncoder().encode('[{"inc'))
            body.error(new TypeError('network error'))
          },
        }),
      )
    network.set(path, says('row'))
    await get(path)
    network.set(path, breaksOff)
    expect(await get(path)).toBe('200 row')
    network.clear()
    expect(await get(path)).toBe('200 row')
    network.set('/assets/room-1.js', breaksOff)
    await expect(get('/assets/room-1.js')).rejects.toThrow('network error')
    network.set('/assets/room-1.js', says('code'))
    expect(await get('/assets/room-1.js')).toBe('200 code')
  })

  it('forgets everything when the session is over', async () => {
    network.set('/api/auth/whoami', says('ana'))
    await get('/api/auth/whoami')
    network.set('/api/auth/whoami', says('who are you?', 401))
    await get('/api/auth/whoami')
    network.clear()
    await expect(get('/api/auth/whoami')).rejects.toThrow('Failed to fetch')
  })

  it('drops the files of a former release', async () => {
    network.set(PAGE, says('page one'))
    network.set('/assets/room-1.js', says('code one'))
    await get(PAGE, { mode: 'navigate' })
    await get('/assets/room-1.js')
    network.set(PAGE, says('page two'))
    await get(PAGE, { mode: 'navigate' })
    network.clear()
    expect(await get(PAGE, { mode: 'navigate' })).toBe('200 page two')
    await expect(get('/assets/room-1.js')).rejects.toThrow('Failed to fetch')
  })

  it('takes what the page had loaded before, and nothing of others', async () => {
    for (const path of ['/incidents/', '/assets/early.js', '/api/db/incidents?id=eq.1', '/api/db/checks'])
      network.set(path, says(path))
    const works: Promise<void>[] = []
    handlers.get('message')?.({
      data: {
        kind: 'keep',
        urls: [
          `${ORIGIN}/assets/early.js`,
          `${ORIGIN}/api/db/incidents?id=eq.1`,
          `${ORIGIN}/api/db/checks`,
          'https://elsewhere.example.test/assets/x.js',
        ],
      },
      waitUntil: (work: Promise<void>) => void works.push(work),
    })
    await Promise.all(works)
    expect(asked).toEqual(['/incidents/', '/assets/early.js', '/api/db/incidents?id=eq.1'])
    network.clear()
    expect(await get(PAGE, { mode: 'navigate' })).toBe('200 /incidents/')
    expect(await get('/assets/early.js')).toBe('200 /assets/early.js')
  })

  it.each([
    ['another page', '/health', { mode: 'navigate' }],
    ['an edit', '/api/auth/whoami', { method: 'POST' }],
    ['rows that are no part of the page', '/api/db/checks', {}],
    ['the list of incidents', '/api/db/incidents?order=created_at.desc', {}],
    ['someone else', 'https://elsewhere.example.test/assets/x.js', {}],
  ] as const)('leaves %s alone', async (_, path, how) => {
    expect(await get(path, how)).toBe('untouched')
  })
})
