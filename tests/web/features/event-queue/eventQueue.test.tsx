import type { Role } from '@watchroom/shared/access'
import { ROLES } from '@watchroom/shared/access'
import type { QueueVersion } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { EventQueueScreen } from '../../../../web/src/features/event-queue/EventQueueScreen.tsx'

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let live: readonly QueueVersion[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(live) }))

const EVENT = '018f0000-0000-7000-8000-0000000000e1'
const QUEUE = {
  name: 'check.failed',
  pending: 3,
  failed: 1,
  average_attempts: 1.5,
  first_failure: '2026-01-01T00:00:00Z',
  last_failure: '2026-01-01T00:01:00Z',
  most_common_error: 'no route to host',
}
const FAILED = { id: EVENT, name: 'check.failed', error: 'no route to host', attempts: 4, properties: { id: 'k1' } }

let screen: RenderedScreen
let server: FakeServer
let page: Page
let failed: object[]
let bodies: unknown[]
beforeEach(() => {
  live = []
  toasts.length = 0
  failed = [FAILED]
  bodies = []
  page = pageOf()
  server = createFakeServer()
  server.on('GET /api/db/event_queue_summary', () => json([QUEUE]))
  server.on('GET /api/db/event_queue?', () => json(failed))
  for (const verb of ['retry', 'drop']) {
    server.on(`POST /api/events/${verb}`, (_, init) => {
      bodies.push([verb, JSON.parse(init.body as string)])
      failed = []
      return json({ count: 1 })
    })
  }
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(query = '', role: Role = 'admin'): Promise<void> {
  const address = `/settings/event-queue-status${query}`
  screen = await renderScreen(<EventQueueScreen />, { address, roles: [role] })
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading the event queue'))
}
const openFailed = async (role?: Role): Promise<void> => {
  await open('?event=check.failed', role)
  await screen.waitFor(() => expect(page.find('table', 'Failed events')).not.toBeNull())
}

describe('the event queue', () => {
  it('has seven columns, the latest failure first', async () => {
    await open()
    expect(page.headers()).toEqual([
      'Name',
      'Pending',
      'Failed',
      'Average attempts',
      'First failure',
      'Last failure',
      'Most common error',
    ])
    expect(page.rows()[0]).toEqual(expect.arrayContaining(['check.failed', '3', '1', '1.5', 'no route to host']))
    expect(page.find('button', 'no route to host')).not.toBeNull()
    expect(server.requests.some((line) => line.includes('order=last_failure.desc'))).toBe(true)
  })

  it('is read again when an event comes, fails or goes', async () => {
    await open()
    server.on('GET /api/db/event_queue_summary', () => json([{ ...QUEUE, pending: 7 }]))
    live = [{ name: 'check.failed', version: '2' }]
    await screen.rerender(<EventQueueScreen />)
    await screen.waitFor(() => expect(page.rows()[0]).toContain('7'))
  })

  it('leads from a row to the events that failed, in the address', async () => {
    await open()
    await screen.click(page.get('link', 'check.failed'))
    expect(screen.search()).toBe('?event=check.failed')
    await screen.waitFor(() =>
      expect(page.get('dialog', 'Failed events: check.failed').textContent).toContain('id: k1'),
    )
  })

  it('says why it cannot be read', async () => {
    server.on('GET /api/db/event_queue_summary', () => json(refusal('X', 'the database is away'), 500))
    await open()
    expect(page.text()).toContain('the database is away')
  })
})

describe('failed events', () => {
  it('have no column beside the reason but how often and when, so that it has the room', async () => {
    await openFailed()
    expect(page.within(page.get('table', 'Failed events')).headers()).toEqual(['Why', 'Attempts', 'Last attempt'])
    expect(page.get('rowheader', /no route to host/).textContent).toBe('no route to hostid: k1')
  })

  it('say when to the second, below a divider for each day', async () => {
    failed = [
      { ...FAILED, last_attempt: '2025-12-31T12:00:44Z' },
      { ...FAILED, id: '018f0000-0000-7000-8000-0000000000e2', last_attempt: '2025-12-25T12:00:33Z' },
    ]
    await openFailed()
    const lines = [...page.get('table', 'Failed events').querySelectorAll('tbody tr')].map((line) => line.textContent)
    expect(lines).toEqual([
      expect.stringMatching(/, 2025$/),
      expect.stringMatching(/4\d\d:00:44/),
      expect.stringMatching(/, 2025$/),
      expect.stringMatching(/4\d\d:00:33/),
    ])
  })

  it('are tried again, with their reason in sight until then', async () => {
    await openFailed()
    expect(page.text()).toContain('no route to host')
    await screen.click(page.get('button', 'Try 1 event again'))
    await screen.waitFor(() => expect(toasts).toEqual(['1 event tried again']))
    expect(bodies).toEqual([['retry', { ids: [EVENT] }]])
    await screen.waitFor(() => expect(page.text()).toContain('None failed'))
  })

  it('are dropped after a question', async () => {
    await openFailed()
    await screen.click(page.get('button', 'Drop all'))
    await screen.waitFor(() => expect(page.text()).toContain('Drop 1 event of check.failed?'))
    expect(bodies).toEqual([])
    await screen.click(page.get('button', 'Drop event'))
    await screen.waitFor(() => expect(toasts).toEqual(['1 event dropped']))
    expect(bodies).toEqual([['drop', { ids: [EVENT] }]])
  })

  it('are tried again or dropped as many at once as someone selects', async () => {
    const ids = ['e1', 'e2', 'e3'].map((end) => `018f0000-0000-7000-8000-0000000000${end}`)
    const events = ids.map((id, at) => ({ ...FAILED, id, error: `reason ${at}` }))
    failed = events
    await openFailed()
    const select = (at: number): Promise<void> => screen.click(page.get('checkbox', `Select reason ${at}`))
    await select(0)
    await select(2)
    // Those that are tried again stay until they are handled.
    server.on('POST /api/events/retry', (_, init) => {
      bodies.push(['retry', JSON.parse(init.body as string)])
      return json({ count: 2 })
    })
    await screen.click(page.get('button', 'Try again'))
    await screen.waitFor(() => expect(toasts).toEqual(['2 events tried again']))
    expect(bodies).toEqual([['retry', { ids: [ids[0], ids[2]] }]])
    await screen.waitFor(() => expect(page.text()).not.toContain('selected'))

    await select(1)
    await select(2)
    await screen.click(page.get('button', 'Drop'))
    await screen.waitFor(() => expect(page.text()).toContain('Drop 2 events of check.failed?'))
    server.on('POST /api/events/drop', (_, init) => {
      bodies.push(['drop', JSON.parse(init.body as string)])
      failed = events.slice(0, 1)
      return json({ count: 2 })
    })
    await screen.click(page.get('button', 'Drop events'))
    await screen.waitFor(() => expect(page.find('checkbox', 'Select reason 1')).toBeNull())
    expect(bodies.at(-1)).toEqual(['drop', { ids: [ids[1], ids[2]] }])
    expect(page.text()).not.toContain('selected')
  })

  it('stay selected where the server refuses', async () => {
    server.on('POST /api/events/retry', () => json(refusal('X', 'not now'), 500))
    await openFailed()
    await screen.click(page.get('checkbox', 'Select no route to host'))
    await screen.click(page.get('button', 'Try again'))
    await screen.waitFor(() => expect(toasts).toEqual([expect.stringContaining('not now')]))
    expect(page.text()).toContain('1 selected')
  })

  it('are asked about anew after a question that ended in a failure', async () => {
    server.on('POST /api/events/drop', () => json(refusal('X', 'not now'), 500))
    await openFailed()
    await screen.click(page.get('button', 'Drop all'))
    await screen.waitFor(() => expect(page.text()).toContain('Drop 1 event of check.failed?'))
    await screen.click(page.get('button', 'Drop event'))
    await screen.waitFor(() => expect(page.text()).toContain('not now'))
    await screen.click(page.get('button', 'Cancel'))
    await screen.click(page.get('button', 'Drop all'))
    await screen.waitFor(() => expect(page.text()).toContain('Drop 1 event of check.failed?'))
    expect(page.text()).not.toContain('not now')
  })

  it('stay where the server refuses, which is said', async () => {
    server.on('POST /api/events/retry', () => json(refusal('X', 'not now'), 500))
    await openFailed()
    await screen.click(page.get('button', 'Try 1 event again'))
    await screen.waitFor(() => expect(toasts).toEqual([expect.stringContaining('not now')]))
    expect(page.text()).toContain('no route to host')
  })

  it.each(ROLES)('are changed by a %s who may write, and by nobody else', async (role) => {
    await openFailed(role)
    const mayWrite = role === 'admin' || role === 'editor'
    expect(page.find('button', 'Drop all') !== null).toBe(mayWrite)
    expect(page.find('button', /Actions for/) !== null).toBe(mayWrite)
    expect(page.find('checkbox', 'Select all rows') !== null).toBe(mayWrite)
  })
})
