import { EventEmitter, once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { Gateway } from '../../../gateway/src/app/buildGateway.ts'
import { createOrganizationGateways } from '../../../gateway/src/app/createOrganizationGateways.ts'

const SETTINGS = { max: 1, idleMs: 60_000 }
const ACME = { id: 'acme', name: 'Acme', backendUrl: 'https://acme.example.com' }

describe('the gateways of organizations', () => {
  it('wait at close for one that is being ended', async () => {
    const clock = new FakeClock()
    let release = (): void => undefined
    const written = new Promise<void>((resolve) => {
      release = resolve
    })
    const organizations = createOrganizationGateways({
      open: () =>
        Promise.resolve({
          // Nothing else of it is looked at.
          gateway: { app: { server: new EventEmitter() } } as unknown as Gateway,
          close: () => written,
        }),
      settings: SETTINGS,
      clock,
      logger: pino({ level: 'silent' }),
    })
    const { upgrade } = await organizations.find(ACME)
    const socket = new Socket()
    upgrade(new IncomingMessage(socket), socket, Buffer.alloc(0))
    socket.destroy()
    await once(socket, 'close')
    await clock.advance(SETTINGS.idleMs + 30_000)
    expect(organizations.gateways()).toEqual([])

    let isClosed = false
    const closing = organizations.close().then(() => (isClosed = true))
    await clock.advance(1_000)
    expect(isClosed).toBe(false)
    release()
    await closing
    expect(clock.pending).toBe(0)
  })

  it('do not wait for someone who left while one was opened', async () => {
    const clock = new FakeClock()
    const routed: unknown[] = []
    const organizations = createOrganizationGateways({
      open: () =>
        Promise.resolve({
          // All that is used of a gateway here.
          gateway: {
            app: { server: new EventEmitter(), routing: (request: unknown) => routed.push(request) },
          } as unknown as Gateway,
          close: () => Promise.resolve(),
        }),
      settings: SETTINGS,
      clock,
      logger: pino({ level: 'silent' }),
    })
    const { handle } = await organizations.find(ACME)
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    socket.destroy()
    await once(socket, 'close')
    handle(request, new ServerResponse(request))
    const { upgrade } = await organizations.find(ACME)
    upgrade(request, socket, Buffer.alloc(0))
    expect(routed).toEqual([])
    await clock.advance(SETTINGS.idleMs + 30_000)
    expect(organizations.gateways()).toEqual([])
    await organizations.close()
  })
})
