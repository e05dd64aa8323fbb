import { CAPABILITIES, type Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { FeatureArea } from '@watchroom/shared/settings'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { currentPlace, Place } from '#support/web/Place.tsx'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FRESH_MS } from '../../../web/src/api/queryClient.ts'
import { backendFactsKey } from '../../../web/src/api/queryKeys.ts'
import { FixedSession } from '../../../web/src/api/session.tsx'
import { CheckActions } from '../../../web/src/app/CheckActions.tsx'

const check = buildCheck({ id: '018f0000-0000-7000-8000-000000000001', name: 'Payments' })
const LIST = `GET /api/playbook/list?check_id=${check.id}`

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

interface Options {
  roles?: readonly Role[]
  disabled?: FeatureArea[]
  userId?: string
}

async function open({ roles = ['editor'], disabled = [], userId = 'user-1' }: Options = {}) {
  screen = await renderScreen(
    <FixedSession user={{ id: userId, name: 'Robin' }} roles={roles}>
      <CheckActions check={check} />
      <Place />
    </FixedSession>,
    { disabled },
  )
}
const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button')].find(({ textContent }) => textContent === name) ?? null
const items = () =>
  [...document.querySelectorAll<HTMLElement>('ul[aria-label="Playbooks"] > li')].map((entry) => entry.textContent)
const item = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('ul[aria-label="Playbooks"] [role="menuitem"]')].find(
    ({ textContent }) => textContent === name,
  ) ?? null
const openMenu = async () => {
  await screen.click(button('Playbooks'))
  await screen.waitFor(() => {
    if (items().length === 0 || items()[0] === 'Loading playbooks…') throw new Error('still loading')
  })
}

describe('actions of a check from other areas', () => {
  it.each([
    ['admin', true, true],
    ['editor', true, true],
    ['commander', false, true],
    ['responder', false, true],
    ['viewer', false, false],
  ] as const)('offers a %s playbooks: %s, and attaching as evidence: %s', async (role, playbooks, attach) => {
    await open({ roles: [role] })
    expect([button('Playbooks') !== null, button('Attach as Evidence') !== null]).toEqual([playbooks, attach])
  })

  it.each([
    ['playbooks', 'Playbooks'],
    ['incidents', 'Attach as Evidence'],
    ['config', 'What changed'],
  ] as const)('hides what needs %s where that area is switched off', async (area, name) => {
    await open()
    expect(button(name)).not.toBeNull()
    await screen.close()
    await open({ disabled: [area] })
    expect(button(name)).toBeNull()
  })

  it('has neither in the standalone health product, where nobody signs in', async () => {
    await open({ userId: NIL_UUID })
    expect([button('Playbooks'), button('Attach as Evidence')]).toEqual([null, null])
  })
})

describe('TargetPlaybooks', () => {
  it('asks for the playbooks of the check only when the menu is opened', async () => {
    server.on(LIST, () => json([{ id: 'p1', name: 'restart' }]))
    await open()
    expect(server.requests).toEqual([])
    await openMenu()
    expect(items()).toEqual(['restart'])
  })

  it('offers them by their titles, which the list does not have', async () => {
    const [p1, p2] = ['restart', 'fail-over'].map((name, index) => ({ id: `p${index + 1}`, name }))
    server.on(LIST, () => json([p1, p2]))
    server.on('GET /api/db/playbooks?id=in.(p1,p2)&select=id,title', () =>
      json([
        { id: 'p2', title: '' },
        { id: 'p1', title: 'Restart the service' },
      ]),
    )
    await open()
    await openMenu()
    expect(items()).toEqual(['Restart the service', 'fail-over'])
  })

  it('asks again whenever it is opened: a playbook may have been written or deleted meanwhile', async () => {
    server.on(LIST, () => json([]))
    await open()
    // As in the product, where most answers count as fresh for minutes.
    screen.queryClient.setDefaultOptions({ queries: { retry: false, staleTime: FRESH_MS.default } })
    await openMenu()
    expect(items()).toEqual(['No playbook matches this check'])
    await screen.click(button('Playbooks'))
    await screen.waitFor(() => expect(items()).toEqual([]))
    server.on(LIST, () => json([{ id: 'p1', name: 'restart' }]))
    await screen.click(button('Playbooks'))
    await screen.waitFor(() => expect(items()).toEqual(['restart']))
  })

  /** The playbook, what it asks for on the check, and who names the check. */
  function answer(params: readonly object[]): void {
    server.on(LIST, () => json([{ id: 'p1', name: 'restart' }]))
    server.on('GET /api/db/playbooks?select=*&id=eq.p1', () =>
      json([{ id: 'p1', name: 'restart', spec: { checks: [{ types: ['http'] }] } }]),
    )
    server.on('GET /api/db/checks', () => json([{ id: check.id, name: 'Payments' }]))
    server.on('POST /api/resources/search', () => json({ checks: [] }))
    server.on('POST /api/playbook/p1/params', () => json({ params }))
  }
  const isReady = () => expect(button('Run')?.hasAttribute('disabled')).toBe(false)

  it('runs a playbook on the check with what it asks for, and leads to the run', async () => {
    answer([{ name: 'count', label: 'Copies', default: '2' }])
    const bodies: unknown[] = []
    server.on('POST /api/playbook/run', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json({ run_id: 'r9', starts_at: '2026-01-01T00:00:00Z' }, 201)
    })
    await open()
    await openMenu()
    await screen.click(item('restart'))
    await screen.waitFor(isReady)
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Payments')
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Copies')
    expect(bodies).toEqual([])
    await screen.click(button('Run'))
    await screen.waitFor(() => expect(currentPlace()).toBe('/playbooks/runs/r9'))
    expect(bodies).toEqual([{ id: 'p1', check_id: check.id, params: { count: '2' } }])
  })

  it('tells why a run was refused and stays', async () => {
    answer([])
    server.on('POST /api/playbook/run', () => json({ error: 'filter rejected' }, 500))
    await open()
    await openMenu()
    await screen.click(item('restart'))
    await screen.waitFor(isReady)
    await screen.click(button('Run'))
    await screen.waitFor(() => expect(document.body.textContent).toContain('filter rejected'))
    expect(currentPlace()).toBe('/')
  })

  it('says in words that none matches', async () => {
    server.on(LIST, () => json([]))
    await open()
    await openMenu()
    expect(items()).toEqual(['No playbook matches this check'])
  })

  it('offers no playbooks where the backend runs none, and says why', async () => {
    await open()
    await act(
      async () => void screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['playbooks'] }),
    )
    await screen.waitFor(() => expect(button('Playbooks')?.getAttribute('aria-disabled')).toBe('true'))
    const reason = document.getElementById(button('Playbooks')?.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe(CAPABILITIES.playbooks)
    await screen.click(button('Playbooks'))
    expect(items()).toEqual([])
    expect(server.requests).toEqual([])
  })

  it('says of a check that was deleted that it is not there', async () => {
    server.on(LIST, () => json({ error: `check(id=${check.id}) not found` }, 404))
    await open()
    await openMenu()
    expect(items()).toEqual(['This check was not found. It may have been deleted.'])
  })

  it('says in words that they could not be listed, and tries again on demand', async () => {
    server.on(LIST, () => json(refusal('X', 'database away'), 500))
    await open()
    await openMenu()
    expect(items()).toEqual(['The playbooks could not be listed: database away', 'Try again'])
    server.on(LIST, () => json([{ id: 'p1', name: 'restart' }]))
    await screen.click(item('Try again'))
    await screen.waitFor(() => expect(items()).toEqual(['restart']))
  })
})
