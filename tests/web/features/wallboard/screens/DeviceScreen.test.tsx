import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { DeviceScreen } from '../../../../../web/src/features/wallboard/screens/DeviceScreen.tsx'

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  window.location.hash = ''
  vi.unstubAllGlobals()
})

async function open(token: string, answer: (server: FakeServer) => void): Promise<FakeServer> {
  const server = createFakeServer()
  answer(server)
  window.location.hash = token
  screen = await renderScreen(<DeviceScreen />, { address: '/wall/device' })
  return server
}

const text = () => screen.container.textContent

describe('the screen of a device', () => {
  it.each([
    ['WALL_LINK_UNKNOWN', 404],
    ['WALL_LINK_WITHDRAWN', 410],
    ['WALL_LINK_EXPIRED', 410],
  ])('says why its token is refused (%s), and does not try it again', async (code, status) => {
    const server = await open('wrong', (fake) =>
      fake.on('POST /gateway/wall/device', () => json(refusal(code, `Because of ${code}`), status)),
    )
    await screen.waitFor(() => expect(text()).toContain(`Because of ${code}`))
    await screen.advance(60_000)
    expect(server.requests).toEqual(['POST /gateway/wall/device'])
  })

  it('asks for its board without a token when it was let in before', async () => {
    const server = await open('', (fake) =>
      fake.on('GET /gateway/wall/device', () => json(refusal('WALL_DEVICE_REQUIRED', 'Open the link again'), 401)),
    )
    await screen.waitFor(() => expect(text()).toContain('Open the link again'))
    expect(server.requests).toEqual(['GET /gateway/wall/device'])
  })

  it('waits for a server that is not there yet, and for one that is asked too often', async () => {
    let attempts = 0
    const server = await open('right', (fake) =>
      fake.on('POST /gateway/wall/device', () => {
        attempts += 1
        if (attempts === 1) throw new TypeError('connection refused')
        if (attempts === 2) return json(refusal('ACCESS_RATE_LIMITED', 'Too many attempts'), 429)
        return json(refusal('WALL_LINK_EXPIRED', 'This link has expired'), 410)
      }),
    )
    await screen.waitFor(() => expect(text()).toContain('The server isn’t responding yet'))
    await screen.advance(3_000)
    await screen.waitFor(() => expect(text()).toContain('Too many attempts'))
    await screen.advance(3_000)
    await screen.waitFor(() => expect(text()).toContain('This link has expired'))
    expect(server.requests).toHaveLength(3)
  })
})
