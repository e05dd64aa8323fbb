// Who is on a page, and who confirms a dangerous step there: through a real gateway, by real sockets, in front of the real backend.
import { randomUUID } from 'node:crypto'

import { can, ROLES } from '@watchroom/shared/access'
import { PRESENCE_PAGES } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import { callTable, type SignedInPerson, signInPerson } from '#support/incidentGateway.ts'
import { openRawLive, type RawLive, settled } from '#support/rawLive.ts'

import { PRESENT_HEADER } from '../../../gateway/src/platform/backendCaller.ts'

const LATER = { timeout: 20_000, interval: 30 }

let backend: TestBackend
let gateway: RunningGateway
let admin: SignedInPerson
let runId: string
let stepId: string

const headersOf = ({ session }: SignedInPerson) => ({
  cookie: `ory_kratos_session=${session}`,
  origin: gateway.url,
})

const call = (path: string, person: SignedInPerson, body?: unknown, more: Record<string, string> = {}) =>
  fetch(`${gateway.url}/api${path}`, {
    method: 'POST',
    headers: { ...headersOf(person), 'content-type': 'application/json', prefer: 'return=representation', ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** Opens the page of the run, as far as the gateway is concerned. */
function watch(person: SignedInPerson): { live: RawLive; subscription: ReturnType<RawLive['subscribe']> } {
  const live = openRawLive(gateway.url, headersOf(person))
  onTestFinished(() => live.close())
  return { live, subscription: live.subscribe('presence', { page: 'playbook_runs', id: runId }) }
}

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  admin = await signInPerson(backend, 'admin')
  const spec = { actions: [{ name: 'cut', isDangerous: true, exec: { script: 'echo cut' } }] }
  const saved = await call('/db/playbooks', admin, { name: 'cut', title: 'Cut', source: 'UI', spec })
  const [playbook] = (await saved.json()) as { id: string }[]
  const asked = await call('/playbook/run', admin, { id: playbook?.id })
  runId = ((await asked.json()) as { run_id: string }).run_id
  await eventually(async () => {
    const [step] = await callTable(backend, `playbook_run_actions?playbook_run_id=eq.${runId}`)
    if (step?.['status'] !== 'waiting') throw new Error(`the step is ${String(step?.['status'])}`)
    stepId = String(step?.['id'])
  }, LATER)
})
afterAll(async () => {
  await gateway?.stop()
  await backend?.stop()
})

describe('a page', () => {
  it.each(ROLES)('[LIVE-66] is open to a %s exactly where the rows of its table are', async (role) => {
    const live = openRawLive(gateway.url, headersOf(await signInPerson(backend, role)))
    onTestFinished(() => live.close())
    for (const [page, resource] of Object.entries(PRESENCE_PAGES)) {
      const subscription = live.subscribe('presence', { page, id: randomUUID() })
      await settled(subscription)
      expect([page, subscription.state()]).toEqual([page, can([role], 'read', resource) ? 'open' : 'denied'])
    }
  })

  it('[LIVE-66] shows who is there to those who are there, under the name of the session', async () => {
    const first = watch(admin)
    await settled(first.subscription)
    const viewer = await signInPerson(backend, 'viewer')
    const second = watch(viewer)
    await settled(second.subscription)
    await eventually(() => expect(first.live.received()).toContain(`"userId":"${viewer.id}"`), LATER)
    expect(second.live.received()).toContain(`"userId":"${admin.id}"`)
    expect(second.subscription.ids()).toHaveLength(2)
  })

  it('takes the word of two people for a dangerous step only while both are there, and the run leaves the inbox', async () => {
    const [ana, bo] = [admin, await signInPerson(backend, 'editor')]
    const confirm = async (person: SignedInPerson, more?: Record<string, string>) =>
      (await call(`/playbook/run/confirm/${stepId}`, person, undefined, more)).status
    const { live, subscription } = watch(ana)
    await settled(subscription)
    const inbox = live.subscribe('waitingRuns', {})
    await eventually(() => expect(inbox.ids()).toEqual([runId]), LATER)
    // Bo says that he is there, which is the gateway's to say.
    const forged = { [PRESENT_HEADER]: JSON.stringify({ [runId]: [ana.id, bo.id] }) }
    expect(await confirm(ana)).toBe(200)
    expect(await confirm(bo, forged)).toBe(409)
    expect(await confirm(await signInPerson(backend, 'viewer'))).toBe(403)
    await settled(watch(bo).subscription)
    expect(await confirm(bo)).toBe(200)
    await eventually(async () => {
      const [run] = await callTable(backend, `playbook_runs?id=eq.${runId}`)
      expect(run?.['status']).toBe('completed')
    }, LATER)
    await eventually(() => expect(inbox.ids()).toEqual([]), LATER)
  })
})
