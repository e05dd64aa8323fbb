import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { agentsTopic, type ClientMessage } from '@watchroom/shared/protocol'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { OpenSocket, SocketHandlers } from '../../../web/src/live/contract.ts'
import { LiveProvider, openLiveAhead } from '../../../web/src/live/LiveProvider.tsx'
import { useTopic } from '../../../web/src/live/useTopic.ts'

interface FakeSocket extends SocketHandlers {
  readonly sent: ClientMessage[]
  isClosed: boolean
}

const sockets = vi.hoisted((): FakeSocket[] => [])
vi.mock('../../../web/src/live/openSocket.ts', () => ({
  createOpenSocket: (): OpenSocket => (handlers) => {
    const socket: FakeSocket = { ...handlers, sent: [], isClosed: false }
    sockets.push(socket)
    return { send: (message) => void socket.sent.push(message), close: () => void (socket.isClosed = true) }
  },
  inflateRaw: () => '',
}))

const WELCOME = { type: 'welcome', version: 1, now: 0, beatMs: 600_000 }
const subscriptions = (socket: FakeSocket | undefined): string[] =>
  (socket?.sent ?? []).flatMap((message) => (message.type === 'subscribe' ? [message.topic] : []))

const queryClient = new QueryClient()

beforeEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  sockets.length = 0
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function Agents(): null {
  useTopic(agentsTopic, {})
  return null
}

async function mount(): Promise<{ unmount: () => Promise<void> }> {
  const root = createRoot(document.createElement('div'))
  const unmount = (): Promise<void> => act(async () => root.unmount())
  onTestFinished(unmount)
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <LiveProvider>
          <Agents />
        </LiveProvider>
      </QueryClientProvider>,
    ),
  )
  return { unmount }
}

describe('a client that is made ahead', () => {
  it('serves the first provider, which goes on with what it watches', async () => {
    const client = openLiveAhead(queryClient)
    client.watch(agentsTopic, {}).release()
    sockets[0]?.onMessage(WELCOME)
    expect(subscriptions(sockets[0])).toEqual(['agents'])
    await mount()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(sockets).toHaveLength(1)
    expect(sockets[0]?.isClosed).toBe(false)
    expect(sockets[0]?.sent).toHaveLength(1)
  })

  it('is for one: a second person has another', async () => {
    openLiveAhead(queryClient)
    const { unmount } = await mount()
    await unmount()
    expect(sockets[0]?.isClosed).toBe(true)
    await mount()
    expect(sockets).toHaveLength(2)
    sockets[1]?.onMessage(WELCOME)
    expect(subscriptions(sockets[1])).toEqual(['agents'])
  })

  it('is not for the page of another cache', async () => {
    openLiveAhead(new QueryClient())
    await mount()
    expect(sockets).toHaveLength(2)
  })

  it('asks anew when it was refused meanwhile: nobody has heard it', async () => {
    openLiveAhead(queryClient)
    sockets[0]?.onRefused({ code: 4401, message: 'Sign in to continue' })
    await mount()
    expect(sockets).toHaveLength(2)
  })

  it('is closed when nobody wants it for 5 s', async () => {
    openLiveAhead(queryClient)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sockets[0]?.isClosed).toBe(true)
    await mount()
    expect(sockets).toHaveLength(2)
  })
})
