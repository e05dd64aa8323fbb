import { Readable } from 'node:stream'

import { pino } from 'pino'
import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createBackendCapabilities } from '../../../gateway/src/app/createBackendCapabilities.ts'
import type { BackendCaller } from '../../../gateway/src/platform/backendCaller.ts'
import type { BackendClient } from '../../../gateway/src/platform/httpClient.ts'

const caller = (key: string): BackendCaller => ({ key, headers: {}, credential: 'caller' })

// 400 is for an access token that is none.
it.each([400, 403])(
  'is asked once with the credential of each who is refused as well (%i), however often they come in turns',
  async (refusal) => {
    let rounds = 0
    const backend: BackendClient = {
      hasServiceCredential: false,
      close: async () => {},
      request: async ({ path }) => {
        const isAbout = path === '/canary/about'
        if (isAbout) rounds += 1
        return {
          status: isAbout ? refusal : 400,
          headers: {},
          body: Readable.from([]),
          json: async () => ({}),
          text: async () => '',
          discard: () => {},
        }
      },
    }
    const clock = new FakeClock()
    const abilities = createBackendCapabilities({ backend, clock, logger: pino({ level: 'silent' }) })
    await abilities.ask()
    expect(rounds).toBe(1)
    for (const key of ['ada', 'ben', 'ada', 'ben', 'ada']) {
      abilities.offer(caller(key))
      await abilities.settle()
    }
    expect(rounds).toBe(3)
    abilities.close()
  },
)
