import { Readable } from 'node:stream'

import { pino } from 'pino'
import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createBackendCapabilities } from '../../../gateway/src/app/createBackendCapabilities.ts'
import type { BackendCaller } from '../../../gateway/src/platform/backendCaller.ts'
import type { BackendClient } from '../../../gateway/src/platform/httpClient.ts'

const caller = (key: string): BackendCaller => ({ key, headers: {}, credential: 'caller' })

it.each([
  [400, 'invalid access token'],
  [403, ''],
])(
  'is asked once with the credential of each who is refused as well (%i), however often they come in turns',
  async (refusal, words) => {
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
          text: async () => (isAbout ? words : ''),
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

it('learns nothing with a token that is none; of another 400 that an endpoint is there', async () => {
  let answer = { status: 404, words: '' }
  const backend: BackendClient = {
    hasServiceCredential: true,
    close: async () => {},
    request: async () => ({
      status: answer.status,
      headers: {},
      body: Readable.from([]),
      json: async () => ({}),
      text: async () => answer.words,
      discard: () => {},
    }),
  }
  const abilities = createBackendCapabilities({ backend, clock: new FakeClock(), logger: pino({ level: 'silent' }) })
  await abilities.ask()
  expect(abilities.missing()).toContain('logs')
  answer = { status: 400, words: 'invalid access token format' }
  await abilities.ask()
  expect(abilities.missing()).toContain('logs')
  answer = { status: 400, words: '{"error":"an object is expected"}' }
  await abilities.ask()
  expect(abilities.missing()).not.toContain('logs')
  abilities.close()
})

it('asks once when several want to know at the same time', async () => {
  let rounds = 0
  const backend: BackendClient = {
    hasServiceCredential: true,
    close: async () => {},
    request: async ({ path }) => {
      if (path === '/canary/about') rounds += 1
      return {
        status: 200,
        headers: {},
        body: Readable.from([]),
        json: async () => ({}),
        text: async () => '',
        discard: () => {},
      }
    },
  }
  const abilities = createBackendCapabilities({ backend, clock: new FakeClock(), logger: pino({ level: 'silent' }) })
  await Promise.all([abilities.ask(), abilities.ask()])
  expect(rounds).toBe(1)
  await abilities.ask()
  expect(rounds).toBe(2)
  abilities.close()
})
