// People to whom the backend shows only some of the components: the logs of the others are not theirs to follow, whatever they know of
// them, and not any more once a component is hidden from them.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { callTable, signInPerson } from '#support/incidentGateway.ts'
import { createLogComponents } from '#support/logComponents.ts'
import { openRawLive, settled } from '#support/rawLive.ts'
import { startStrictBackend, type StrictBackend, WITH_OUTPUT } from '#support/strictBackend/startStrictBackend.ts'

let backend: TestBackend
let strict: StrictBackend
let database: TestDatabase
let gateway: RunningGateway
const components = { shown: '', hidden: '' }
/** By person, the components that they are shown; everyone else is shown all. */
const scopes = new Map<string, string>()

const write = (name: keyof typeof components, words: string): void =>
  appendFileSync(join(backend.dataDirectory, 'logs', 'scoped', `${name}.log`), `${new Date().toISOString()} ${words}\n`)

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  const { socketPath, serviceToken } = backend
  strict = await startStrictBackend({
    socketPath,
    serviceToken,
    scopeOf: ({ id }) => {
      const filter = scopes.get(id)
      return filter === undefined ? null : { components: filter }
    },
    beyond: WITH_OUTPUT,
  })
  database = await startEmptyTestDatabase()
  gateway = await startGateway({
    backend: { url: strict.url, token: strict.credential, databaseUrl: database.databaseUrl },
  })
  mkdirSync(join(backend.dataDirectory, 'logs', 'scoped'))
  const names = ['shown', 'hidden'] as const
  const backends = names.map((name) => ({
    file: { path: [`scoped/${name}.log`], routes: [{ labels: { file: name } }] },
  }))
  const body = { name: 'scoped', source: 'UI', spec: { backends } }
  await callTable(backend, 'logging_backends', { method: 'POST', body })
  const selectors = (name: string) => [{ name, labels: { file: name } }]
  const made = names.map((name) => ({ name, selectors: selectors(name) }))
  const [shown = '', hidden = ''] = await createLogComponents(backend, made)
  Object.assign(components, { shown, hidden })
  for (const name of names) write(name, `${name} from the beginning`)
})
afterAll(async () => {
  await gateway?.stop()
  await strict?.close()
  await database?.stop()
  await backend?.stop()
})

/** Someone who follows both logs; the backend answers logs to administrators alone. @param filter of the components; absent: all */
async function follow(filter?: string) {
  const { id, session } = await signInPerson(backend, 'admin')
  if (filter !== undefined) scopes.set(id, filter)
  const live = openRawLive(gateway.url, { cookie: `ory_kratos_session=${session}`, origin: gateway.url })
  onTestFinished(() => live.close())
  const topics = [components.shown, components.hidden].map((componentId) =>
    live.subscribe('logTail', { componentId, selector: '', query: '' }),
  )
  await Promise.all(topics.map(settled))
  return { id, hears: (words: string) => live.received().includes(words) }
}

it('follows the logs of the components that they are shown, and no other', async () => {
  const narrowed = await follow(`id=eq.${components.shown}`)
  const everyone = await follow()
  const words = `at ${performance.now()}`
  write('hidden', `hidden ${words}`)
  // Someone who may has heard of it, and both have heard of what came later.
  await eventually(() => expect(everyone.hears(`hidden ${words}`)).toBe(true))
  write('shown', `shown ${words}`)
  await eventually(() => {
    for (const { hears } of [narrowed, everyone]) expect(hears(`shown ${words}`)).toBe(true)
  })
  expect([narrowed.hears('shown from the beginning'), narrowed.hears('hidden ')]).toEqual([true, false])
})

it('hears nothing more of a component that is hidden from them from now on', { timeout: 120_000 }, async () => {
  const leaves = await follow()
  const stays = await follow()
  write('hidden', 'hidden while it was shown')
  await eventually(() => expect(leaves.hears('hidden while it was shown')).toBe(true))
  scopes.set(leaves.id, `id=eq.${components.shown}`)
  // Until the gateway has asked again; then never more. One that is not there yet may only be late: three are not.
  let told = 0
  await eventually(
    async () => {
      told += 1
      write('hidden', `hidden number ${told}.`)
      write('shown', `shown number ${told}.`)
      await eventually(() => {
        expect(stays.hears(`hidden number ${told}.`)).toBe(true)
        expect(leaves.hears(`shown number ${told}.`)).toBe(true)
      })
      expect(told).toBeGreaterThan(2)
      const last = [told - 2, told - 1, told].map((number) => leaves.hears(`hidden number ${number}.`))
      expect(last).toEqual([false, false, false])
    },
    { timeout: 60_000, interval: 500 },
  )
  write('hidden', 'hidden for good')
  await eventually(() => expect(stays.hears('hidden for good')).toBe(true))
  write('shown', 'shown at the end')
  await eventually(() => expect(leaves.hears('shown at the end')).toBe(true))
  expect(leaves.hears('hidden for good')).toBe(false)
})
