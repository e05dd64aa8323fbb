// The tail of a log from a file to every socket that follows it, through a whole gateway.
import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { callTable, signInPerson } from '#support/incidentGateway.ts'
import { createLogComponents } from '#support/logComponents.ts'
import { openRawLive, settled } from '#support/rawLive.ts'

import { parseConfig } from '../../../../gateway/src/app/config.ts'

let backend: TestBackend
let gateway: RunningGateway
let path: string
let componentId: string

const LATER = { timeout: 20_000, interval: 20 }
const lineOf = (text: string): string => `${new Date().toISOString()} ${text}\n`
const write = (text: string): void => appendFileSync(path, lineOf(text))

async function follow(query = '') {
  const person = await signInPerson(backend, 'viewer')
  const headers = { cookie: `ory_kratos_session=${person.session}`, origin: gateway.url }
  const live = openRawLive(gateway.url, headers)
  onTestFinished(() => live.close())
  const subscription = live.subscribe('logTail', { componentId, selector: '', query })
  await settled(subscription)
  return {
    person,
    live,
    subscription,
    /** How often each of these words was sent, in this order. */
    heard: (words: readonly string[]) => words.map((word) => live.received().split(word).length - 1),
  }
}

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  // As in front of a backend of its own, which says what changes.
  gateway = await startGateway({ backend: toGatewayBackend(backend), deps: { config: parseConfig({}, []) } })
  const folder = join(backend.dataDirectory, 'logs', 'tail')
  mkdirSync(folder)
  path = join(folder, 'a.log')
  writeFileSync(path, lineOf('before anyone came'))
  const spec = { backends: [{ file: { path: ['tail/*.log'], routes: [{ type: 'Service' }] } }] }
  await callTable(backend, 'logging_backends', { method: 'POST', body: { name: 'tail', source: 'UI', spec } })
  const [id = ''] = await createLogComponents(backend, [{ name: 'tail', selectors: [{ name: 'all' }] }])
  componentId = id
})
afterAll(async () => {
  await gateway?.stop()
  await backend?.stop()
})

it('begins with what there is, and brings each line once to all who follow, also to those who come late', async () => {
  const [ada, rae] = [await follow(), await follow()]
  write('word-one')
  await eventually(() => {
    for (const { heard } of [ada, rae]) expect(heard(['before anyone came', 'word-one'])).toEqual([1, 1])
  }, LATER)
  const late = await follow()
  await eventually(() => expect(late.heard(['before anyone came', 'word-one'])).toEqual([1, 1]), LATER)
  write('word-two')
  await eventually(() => {
    for (const { heard } of [ada, rae, late]) expect(heard(['word-one', 'word-two'])).toEqual([1, 1])
  }, LATER)
})

it('goes on when the file is rotated, and when it is emptied', async () => {
  const { heard } = await follow()
  write('last of the old')
  renameSync(path, `${path}.1`)
  writeFileSync(path, lineOf('first of the new'))
  await eventually(() => expect(heard(['last of the old', 'first of the new'])).toEqual([1, 1]), LATER)
  truncateSync(path, 0)
  write('after it was emptied')
  await eventually(() => expect(heard(['first of the new', 'after it was emptied'])).toEqual([1, 1]), LATER)
})

it('is of the lines that have the words alone', async () => {
  const { heard } = await follow('NEEDLE level')
  write('hay level')
  write('needle level')
  await eventually(() => expect(heard(['needle level'])).toEqual([1]), LATER)
  expect(heard(['hay level'])).toEqual([0])
})

it('ends with the account, and no later line is heard', async () => {
  const [stays, leaves] = [await follow(), await follow()]
  const answer = await backend.callAsService(`/auth/${leaves.person.id}/update_state`, {
    method: 'POST',
    body: { state: 'inactive' },
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  await eventually(
    () => expect(leaves.live.endedAt() !== null || leaves.subscription.state() === 'denied').toBe(true),
    LATER,
  )
  write('for those who stayed')
  await eventually(() => expect(stays.heard(['for those who stayed'])).toEqual([1]), LATER)
  expect(leaves.heard(['for those who stayed'])).toEqual([0])
})

it('is thinned out and counted when a program writes faster than anyone reads', async () => {
  const { heard, live } = await follow()
  appendFileSync(path, Array.from({ length: 20_000 }, (_, n) => lineOf(`flood-${n}-`)).join(''))
  await eventually(() => expect(heard(['flood-19999-'])).toEqual([1]), LATER)
  const dropped = [...live.received().matchAll(/"dropped":(\d+)/g)].map(([, count]) => Number(count))
  const shown = live.received().split('"message":"flood-').length - 1
  expect(dropped.reduce((sum, count) => sum + count, 0) + shown).toBeGreaterThanOrEqual(20_000)
  expect(shown).toBeLessThan(20_000)
})
