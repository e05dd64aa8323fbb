import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CredentialNotice } from '../../../web/src/app/CredentialNotice.tsx'

const TEXT = "The backend refuses the gateway's credential (401)."

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('CredentialNotice', () => {
  it('tells an administrator that the gateway is not shown everything', async () => {
    server.on('GET /gateway/credential', () => json({ isSound: false, text: TEXT }))
    screen = await renderScreen(<CredentialNotice />, { roles: ['admin'] })
    await screen.waitFor(() => expect(screen.container.textContent).toBe(TEXT))
  })

  it('says nothing while all is well', async () => {
    server.on('GET /gateway/credential', () => json({ isSound: true, text: 'The gateway polls as Robot, admin.' }))
    screen = await renderScreen(<CredentialNotice />, { roles: ['admin'] })
    await screen.waitFor(() => expect(server.requests).toEqual(['GET /gateway/credential']))
    expect(screen.container.textContent).toBe('')
  })

  it('goes when the gateway learns who it is, without a reload', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      server.on('GET /gateway/credential', () => json({ isSound: false, text: TEXT }))
      screen = await renderScreen(<CredentialNotice />, { roles: ['admin'] })
      await screen.waitFor(() => expect(screen.container.textContent).toBe(TEXT))
      server.on('GET /gateway/credential', () => json({ isSound: true, text: 'The gateway polls as Robot, admin.' }))
      vi.advanceTimersByTime(15_000)
      await screen.waitFor(() => expect(screen.container.textContent).toBe(''))
      vi.advanceTimersByTime(60_000)
      expect(server.requests).toHaveLength(2)
      // A token that expires is told of, too.
      server.on('GET /gateway/credential', () => json({ isSound: false, text: TEXT }))
      vi.advanceTimersByTime(300_000)
      await screen.waitFor(() => expect(screen.container.textContent).toBe(TEXT))
    } finally {
      vi.useRealTimers()
    }
  })

  it('asks nothing for anyone else', async () => {
    screen = await renderScreen(<CredentialNotice />, { roles: ['editor'] })
    await screen.advance(1_000)
    expect(server.requests).toEqual([])
  })
})
