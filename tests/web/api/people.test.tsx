import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { peopleQuery, usePeople } from '../../../web/src/api/people.ts'

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

function Names() {
  const { present, hasFailed } = usePeople()
  return `${present.map(({ name }) => name).join()} ${hasFailed ? 'cannot be named' : 'can be named'}`
}

describe('people', () => {
  it('can still be named when a later answer fails', async () => {
    const server = createFakeServer()
    server.on('GET /api/db/people', () => json([{ id: 'ada', name: 'Ada', email: 'ada@example.org' }]))
    screen = await renderScreen(<Names />)
    await screen.waitFor(() => expect(screen.container.textContent).toBe('Ada can be named'))
    server.on('GET /api/db/people', () => json({ message: 'no' }, 500))
    await act(() => screen.queryClient.refetchQueries(peopleQuery))
    await screen.advance(0)
    expect(screen.queryClient.getQueryState(peopleQuery.queryKey)?.status).toBe('error')
    expect(screen.container.textContent).toBe('Ada can be named')
  })

  it('cannot be named when the first answer fails', async () => {
    const server = createFakeServer()
    server.on('GET /api/db/people', () => json({ message: 'no' }, 500))
    screen = await renderScreen(<Names />)
    await screen.waitFor(() => expect(screen.container.textContent).toBe(' cannot be named'))
  })
})
