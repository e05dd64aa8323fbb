import { focusManager } from '@tanstack/react-query'
import type { Role } from '@watchroom/shared/access'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { backendFactsKey } from '../../../web/src/api/queryKeys.ts'
import { FixedSession } from '../../../web/src/api/session.tsx'
import { ChangesLens } from '../../../web/src/app/ChangesPage.tsx'
import { WhatChanged } from '../../../web/src/app/WhatChanged.tsx'
// Loaded when someone asks; here beforehand, so that no test waits for it.
import '../../../web/src/features/incident-link/components/LinkToIncidentDialog.tsx'
import '../../../web/src/features/what-changed/WhatChangedDialog.tsx'
import { SizedDialog } from '../../../web/src/ui/SizedDialog.tsx'

const CHECK = '018f0000-0000-7000-8000-000000000001'
const NODE = '018f0000-0000-7000-8000-0000000000c1'
const ASK = 'POST /api/catalog/what-changed'
const SUSPECTS = [
  {
    kind: 'change',
    id: '018f0000-0000-7000-8000-0000000000d1',
    title: 'kernel updated',
    subject: 'node',
    config_id: NODE,
    at: '2026-05-04T11:57:00Z',
    distance: 1,
    severity: 'high',
  },
  {
    kind: 'run',
    id: '018f0000-0000-7000-8000-0000000000e1',
    title: 'run completed',
    subject: 'Restart',
    config_id: null,
    at: '2026-05-04T11:30:00Z',
    distance: 0,
    severity: null,
  },
  {
    kind: 'agent',
    id: '018f0000-0000-7000-8000-0000000000f1',
    title: 'fell silent',
    subject: 'north',
    config_id: null,
    at: '2026-05-04T08:00:00Z',
    distance: null,
    severity: null,
  },
]

let server: FakeServer
let screen: RenderedScreen
let asked: unknown[]
beforeEach(() => {
  asked = []
  server = createFakeServer()
  server.on(ASK, (_url, init) => {
    asked.push(JSON.parse(init?.body as string))
    return json({ at: '2026-05-04T12:00:00Z', suspects: SUSPECTS })
  })
  server.on('GET /api/db/incidents?', () => json([]))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open({
  roles = ['responder'] as readonly Role[],
  isInPanel = false,
  lens = <WhatChanged start={{ start: 'check', id: CHECK }} />,
  address = '/',
} = {}) {
  screen = await renderScreen(
    <FixedSession user={{ id: 'user-1', name: 'Robin' }} roles={roles}>
      {isInPanel ? (
        <SizedDialog size="full" isOpen title="Check">
          {lens}
        </SizedDialog>
      ) : (
        lens
      )}
    </FixedSession>,
    { address },
  )
}
const press = (key: string) => screen.press(key, document.body)
const items = () => [...document.querySelectorAll('ol[aria-label="What may have caused it"] > li label')]
const dialogs = () => [...document.querySelectorAll('[role="dialog"] h2')].map(({ textContent }) => textContent)
const until = (title: string) =>
  screen.waitFor(() => {
    if (!dialogs().includes(title)) throw new Error(`no ${title} in ${dialogs().join()}`)
  })
const untilListed = () =>
  screen.waitFor(() => {
    if (items().length === 0) throw new Error('no list yet')
  })

describe('what changed', () => {
  it('is listed with reasons, the most likely first and chosen, on W', async () => {
    await open()
    await press('w')
    await untilListed()
    expect(asked).toEqual([{ start: 'check', id: CHECK }])
    expect(items().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('node: kernel updated3m before · 1 step away · severity high'),
      expect.stringContaining('Restart: run completed30m before · directly linked'),
      expect.stringContaining('north: fell silent4h before · not related'),
    ])
    expect(items().map((label) => label.querySelector('input')?.checked)).toEqual([true, false, false])
    expect([...document.querySelectorAll('ol a')].map((link) => link.getAttribute('href'))).toEqual([
      `/catalog/${NODE}/changes`,
      `/playbooks/runs/${SUSPECTS[1]?.id}`,
    ])
  })

  it('makes the first one evidence on E, also from within the panel of a check', async () => {
    await open({ isInPanel: true })
    await press('w')
    await untilListed()
    await press('e')
    await until('Link to Incident')
    expect(document.querySelector('textarea')?.value).toBe('node: kernel updated')
  })

  it('keeps what is being attached when another answer comes, and does not ask for one when looked at again', async () => {
    await open()
    await press('w')
    await untilListed()
    await press('e')
    await until('Link to Incident')
    const field = document.querySelector('textarea')
    await setField(field, 'typed so far')
    await act(async () => {
      focusManager.setFocused(false)
      focusManager.setFocused(true)
    })
    await screen.advance(0)
    expect(asked).toHaveLength(1)
    server.on(ASK, () => json({ at: '2026-05-04T12:01:00Z', suspects: SUSPECTS.toReversed() }))
    await act(() => screen.queryClient.refetchQueries({ queryKey: ['what-changed'] }))
    await screen.waitFor(() => expect(items()[0]?.textContent).toContain('north'))
    expect(dialogs()).toContain('Link to Incident')
    expect(document.querySelector('textarea')?.value).toBe('typed so far')
  })

  it.each([
    ['', {}],
    ['?rangeType=absolute&from=2025-12-30T00:00:00Z&to=2025-12-31T02:13:00Z', { at: '2025-12-31T02:13:00.000Z' }],
    ['?rangeType=absolute&from=2025-12-30T00:00:00Z&to=2026-12-31T00:00:00Z', {}],
  ])('is asked of the end of the range that the changes are shown of: %s', async (search, at) => {
    await open({ lens: <ChangesLens />, address: `/catalog/changes${search}` })
    await press('w')
    await untilListed()
    expect(asked).toEqual([{ start: 'instant', ...at }])
  })

  it('has nothing to attach of an agent, nor for those who may not', async () => {
    await open()
    await press('w')
    await untilListed()
    await screen.click(items()[2]?.querySelector('input') ?? null)
    await press('e')
    expect(dialogs()).toEqual(['What changed'])
    await screen.close()
    await open({ roles: ['viewer'] })
    await press('w')
    await untilListed()
    await press('e')
    expect(dialogs()).toEqual(['What changed'])
  })

  it('says so where nothing changed, and is not offered where the backend cannot', async () => {
    server.on(ASK, () => json({ at: '2026-05-04T12:00:00Z', suspects: [] }))
    await open()
    await press('w')
    await screen.waitFor(() => {
      if (!document.body.textContent.includes('Nothing changed')) throw new Error('still loading')
    })
    await screen.close()
    await open()
    screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['whatChanged'] })
    await screen.waitFor(() => {
      if (document.querySelector('button') !== null) throw new Error('still offered')
    })
    expect(document.body.textContent).not.toContain('What changed')
  })
})
