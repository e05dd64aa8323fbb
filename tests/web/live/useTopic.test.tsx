import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { checksTopic, topicKey } from '@watchroom/shared/protocol'
import { act, memo, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { describe, expect, it, onTestFinished } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { LiveWorld } from '#support/liveWorld.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { Freshness } from '../../../web/src/live/Freshness.tsx'
import { LiveProvider } from '../../../web/src/live/LiveProvider.tsx'
import { useTopic } from '../../../web/src/live/useTopic.ts'

globalThis.IS_REACT_ACT_ENVIRONMENT = true

const check = (id: string, passed = 0) => buildCheck({ id, uptime: { passed, failed: 0 } })

async function render(tree: ReactNode) {
  const container = document.createElement('div')
  const root = createRoot(container)
  const unmount = (): Promise<void> => act(async () => root.unmount())
  onTestFinished(unmount)
  await act(async () => root.render(tree))
  return { container, unmount }
}

function setUp() {
  const clock = new FakeClock()
  const world = new LiveWorld({ clock })
  const queryClient = new QueryClient()
  queryClient.setQueryDefaults(['live'], { structuralSharing: false, staleTime: Infinity })
  const client = world.addClient({
    onRows: (key, rows) => queryClient.setQueryData(key, rows),
    knownRows: (key) => queryClient.getQueryData(key),
  })
  onTestFinished(() => world.close())
  const renders: string[] = []
  const Row = memo(({ row }: { row: ReturnType<typeof check> }) => {
    renders.push(row.id)
    return <li>{`${row.id}:${row.uptime.passed}`}</li>
  })
  const screens: string[] = []
  const Screen = (): ReactNode => {
    const view = useTopic(checksTopic, {})
    screens.push(view.state)
    return (
      <ul data-state={view.state}>
        {view.rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    )
  }
  const tree = (
    <QueryClientProvider client={queryClient}>
      <LiveProvider client={client}>
        <Screen />
      </LiveProvider>
    </QueryClientProvider>
  )
  const run = (durationMs: number): Promise<void> => act(() => world.run(durationMs))
  return { clock, client, world, queryClient, tree, run, renders, screens }
}

describe('useTopic', () => {
  it('shows the rows, keeps them in the query cache under the key of the topic', async () => {
    const { clock, world, queryClient, tree, run } = setUp()
    const { container } = await render(tree)
    expect(container.querySelector('ul')?.dataset.state).toBe('loading')
    await run(100)
    world.checks.publishAll([check('a'), check('b', 2)], clock.now())
    await run(200)
    expect(container.textContent).toBe('a:0b:2')
    expect(container.querySelector('ul')?.dataset.state).toBe('live')
    expect(queryClient.getQueryData(topicKey(checksTopic, {}))).toHaveLength(2)
  })

  it('[LIVE-13] renders only the rows that changed, and nothing for a heartbeat', async () => {
    const { clock, world, tree, run, renders, screens } = setUp()
    await render(tree)
    await run(100)
    world.checks.publishAll([check('a'), check('b')], clock.now())
    await run(200)
    renders.length = 0
    world.checks.publishAll([check('a'), check('b', 1)], clock.now())
    await run(200)
    expect(renders).toEqual(['b'])
    const before = screens.length
    for (let second = 0; second < 5; second++) {
      world.checks.publishAll([check('a'), check('b', 1)], clock.now())
      await run(1_000)
    }
    expect(screens).toHaveLength(before)
  })

  it('shows the cached rows of an earlier visit until the first answer', async () => {
    const { queryClient, tree } = setUp()
    queryClient.setQueryData(topicKey(checksTopic, {}), [check('old')])
    const { container } = await render(tree)
    expect(container.textContent).toBe('old:0')
    expect(container.querySelector('ul')?.dataset.state).toBe('loading')
  })

  it('[LIVE-43] tells that cached rows of an earlier visit are unproven where there is no link', async () => {
    const { clock, client, world, tree, run } = setUp()
    const { unmount } = await render(tree)
    await run(100)
    world.checks.publishAll([check('old')], clock.now())
    await run(200)
    await unmount()
    world.isUp = false
    world.wireOf(client).pair.cut()
    await run(20_000)
    const { container } = await render(tree)
    expect(container.textContent).toBe('old:0')
    expect(container.querySelector('ul')?.dataset.state).toBe('offline')
  })

  it('lets the topic go some time after the last screen went', async () => {
    const { world, tree, run } = setUp()
    const { unmount } = await render(tree)
    await run(100)
    expect(world.checks.watchers).toBe(1)
    await unmount()
    await run(16_000)
    expect(world.checks.watchers).toBe(0)
  })
})

describe('Freshness', () => {
  it('says the age on the data, and announces only the state', async () => {
    const view = buildTopicView([], 'delayed', { ageMs: () => 6_200 })
    const { container } = await render(<Freshness view={view} />)
    expect(container.querySelector('[data-state]')?.getAttribute('data-state')).toBe('delayed')
    expect(container.textContent).toContain('Delayed 6.2 s')
    expect(container.querySelector('output')?.textContent).toBe('Data is delayed.')
  })

  it('shows why the data is not live', async () => {
    const view = buildTopicView([], 'offline', { error: { code: 'X', message: 'no route' } })
    const { container } = await render(<Freshness view={view} />)
    expect(container.textContent).toContain('no route')
  })
})
