// The page of a run while there is no socket: with the real live client.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { LiveWorld } from '#support/liveWorld.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { PlaybookRunScreen } from '../../../../../web/src/features/playbooks/screens/PlaybookRunScreen.tsx'
import { LiveProvider } from '../../../../../web/src/live/LiveProvider.tsx'

const RUN = '018f0000-0000-7000-8000-0000000000b1'
const STEP = '018f0000-0000-7000-8000-0000000000c1'

const { useParams } = vi.hoisted(() => ({ useParams: vi.fn<() => { id: string }>() }))
vi.mock('@tanstack/react-router', async (load) => ({ ...(await load<object>()), useParams }))

let clock: FakeClock
let world: LiveWorld
let server: FakeServer
let screen: RenderedScreen
let printed: string[]
let status: 'running' | 'completed'

beforeEach(() => {
  clock = new FakeClock()
  world = new LiveWorld({ clock, random: () => 0 })
  world.isUp = false
  printed = ['one\n']
  status = 'running'
  useParams.mockReturnValue({ id: RUN })
  server = createFakeServer()
  const began = { start_time: '2025-12-31T23:59:00Z', end_time: null }
  server.on('GET /api/db/playbook_runs', () =>
    json([
      {
        id: RUN,
        playbook_id: 'p',
        status,
        playbooks: { id: 'p', name: 'collect', title: 'Collect' },
        ...began,
      },
    ]),
  )
  server.on('GET /api/db/playbook_run_actions', () => json([{ id: STEP, name: 'print', status, ...began }]))
  server.on('GET /api/db/playbook_approvals', () => json([]))
  server.on('GET /api/db/playbook_run_outputs', (url) => {
    const [from = 1, before = Infinity] = url.searchParams
      .getAll('seq')
      .map((bound) => Number(bound.replace(/^\w+\./, '')))
    const pieces = printed
      .map((text, index) => ({ seq: index + 1, at: '2025-12-31T23:59:01Z', stream: 'stdout', text }))
      .filter(({ seq }) => seq >= from && seq < before)
    const inOrder = url.searchParams.get('order') === 'seq.desc' ? pieces.toReversed() : pieces
    return json(inOrder.slice(0, Number(url.searchParams.get('limit'))))
  })
})
afterEach(async () => {
  await screen.close()
  world.close()
  vi.unstubAllGlobals()
})

function Live({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const [client] = useState(() =>
    world.addClient({
      onRows: (key, rows) => queryClient.setQueryData(key, rows),
      knownRows: (key) => queryClient.getQueryData(key),
    }),
  )
  return <LiveProvider client={client}>{children}</LiveProvider>
}

const asked = (table: string): number =>
  server.requests.filter((line) => line.startsWith(`GET /api/db/${table}?`)).length
const lines = (): string[] =>
  [...document.querySelectorAll('[aria-label$=": lines"] li > span:last-child')].map(({ textContent }) =>
    textContent.trimEnd(),
  )

/** In steps, so that answers come before the next question. */
async function pass(durationMs: number): Promise<void> {
  for (let passed = 0; passed < durationMs; passed += 250) await screen.advance(250)
}

it('reads the run every two seconds and what its step prints every second while there is no socket, until they end', async () => {
  screen = await renderScreen(
    <Live>
      <PlaybookRunScreen />
    </Live>,
    { clock },
  )
  await pass(4_500)
  expect(asked('playbook_runs')).toBe(0)
  // Five seconds without a word from the gateway.
  await pass(1_000)
  expect(asked('playbook_runs')).toBe(1)
  await screen.waitFor(() => expect(document.title).toContain('Collect'))

  await pass(6_000)
  expect(asked('playbook_runs')).toBe(4)
  await screen.waitFor(() => expect(lines()).toEqual(['one']))
  printed.push('two\n', 'three\n')
  const before = asked('playbook_run_outputs')
  await pass(4_000)
  expect(asked('playbook_run_outputs')).toBe(before + 4)
  await screen.waitFor(() => expect(lines()).toEqual(['one', 'two', 'three']))

  printed.push('four\n')
  status = 'completed'
  await pass(3_000)
  await screen.waitFor(() => expect(lines()).toEqual(['one', 'two', 'three', 'four']))
  const atEnd = server.requests.length
  await pass(10_000)
  expect(server.requests.slice(atEnd)).toEqual([])
})

it('has all that a step printed that had ended before, however many pieces that are', async () => {
  printed = Array.from({ length: 600 }, (_, index) => `line ${index + 1}\n`)
  status = 'completed'
  screen = await renderScreen(
    <Live>
      <PlaybookRunScreen />
    </Live>,
    { clock },
  )
  await pass(7_000)
  await screen.waitFor(() => expect(lines().at(-1)).toBe('line 600'))
  await screen.waitFor(() =>
    expect(document.querySelector('[aria-label$=": lines"] li')?.getAttribute('aria-setsize')).toBe('600'),
  )
})
