import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dialog, fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { LinkToIncidentDialog } from '../../../../../web/src/features/incident-link/components/LinkToIncidentDialog.tsx'

let server: FakeServer
let screen: RenderedScreen
let calls: [string, Record<string, unknown>][] = []
const onClose = vi.fn()

beforeEach(() => {
  calls = []
  onClose.mockClear()
  server = createFakeServer()
  const incident = { id: 'i1', incident_id: 'INC-1', title: 'Checkout is down', status: 'open', severity: 'high' }
  server.on('GET /api/db/incidents', () => json([incident]))
  server.on('GET /api/db/hypotheses', (url) =>
    json(
      url.searchParams.get('type') === 'neq.root'
        ? []
        : [{ id: 'h1', title: 'Disk', type: 'root', status: 'possible' }],
    ),
  )
  for (const table of ['incidents', 'hypotheses', 'evidences']) {
    server.on(`POST /api/db/${table}`, (url, init) => {
      calls.push([url.pathname, JSON.parse(init.body as string) as Record<string, unknown>])
      return json([])
    })
  }
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open() {
  const evidence = { type: 'check', check_id: 'check-1', description: 'Payments' } as const
  screen = await renderScreen(<LinkToIncidentDialog evidence={evidence} onClose={onClose} />)
  await screen.waitFor(() => expect(radio('i1')).not.toBeNull())
}
const text = () => dialog()?.textContent ?? ''
const radio = (id: string) => document.querySelector<HTMLInputElement>(`input[type="radio"][value="${id}"]`)

const createButton = () =>
  [...document.querySelectorAll('[role="dialog"] button')].find(({ textContent }) => textContent.includes('“')) ?? null

async function pick(id: string): Promise<void> {
  await act(async () => radio(id)?.click())
  await screen.advance(0)
}
async function chooseNew(): Promise<void> {
  const choice = [...document.querySelectorAll('[role="dialog"] [role="radio"]')].at(-1)
  await screen.click(choice ?? null)
}

describe('LinkToIncidentDialog', () => {
  it('asks for an incident, then for a hypothesis', async () => {
    await open()
    await submit(screen)
    expect(text()).toContain('Must select or create an incident')
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    expect(text()).toContain('Must select or create a hypothesis')
    await submit(screen)
    expect(calls).toEqual([])
  })

  it('attaches what was chosen, though what it was chosen from has changed since', async () => {
    const evidenceOf = (line: string) =>
      ({ type: 'config', config_id: 'item-1', description: 'app.yaml, line 2', evidence: { lines: [line] } }) as const
    function Page() {
      const [line, setLine] = useState('replicas: 0')
      return (
        <>
          <button type="button" id="edit" onClick={() => setLine('replicas: 3')}>
            Save the file
          </button>
          <LinkToIncidentDialog evidence={evidenceOf(line)} onClose={onClose} />
        </>
      )
    }
    screen = await renderScreen(<Page />)
    await screen.waitFor(() => expect(radio('i1')).not.toBeNull())
    await screen.click(document.querySelector('#edit'))
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    await pick('h1')
    await submit(screen)
    await screen.waitFor(() => expect(calls).toHaveLength(1))
    expect(JSON.stringify(calls)).toContain('replicas: 0')
    expect(JSON.stringify(calls)).not.toContain('replicas: 3')
  })

  it('attaches the evidence to a hypothesis of the incident and says so', async () => {
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    await pick('h1')
    await submit(screen)
    await screen.waitFor(() => expect(pageOf().toastText('top-right')).toContain('Linked to incident successfully'))
    expect(onClose).toHaveBeenCalledOnce()
    expect(calls.map(([path]) => path)).toEqual(['/api/db/evidences'])
    expect(calls[0]?.[1]).toMatchObject({ type: 'check', check_id: 'check-1', description: 'Payments' })
    expect(calls[0]?.[1]).toMatchObject({ hypothesis_id: 'h1', created_by: 'user-1' })
    expect(calls[0]?.[1]).toMatchObject({ evidence: { check_id: 'check-1', includeMessages: true } })
  })

  it('searches incidents by title 500 ms after the last key, with the wildcards of the filter taken out', async () => {
    await open()
    await screen.type(document.querySelector('[role="dialog"] [placeholder="Search for incident"]'), 'disk*_')
    const searches = () => server.requests.filter((line) => line.includes('ilike'))
    await screen.advance(499)
    expect(searches()).toEqual([])
    await screen.advance(1)
    const like = String.raw`ilike."*disk\\_*"`
    expect(searches()).toEqual([expect.stringContaining(`or=(title.${like},incident_id.${like})`)])
  })

  it('keeps the incident that was chosen in sight, whatever is searched for next', async () => {
    await open()
    await pick('i1')
    server.on('GET /api/db/incidents', () => json([]))
    await screen.type(document.querySelector('[role="dialog"] [placeholder="Search for incident"]'), 'labels')
    await screen.advance(500)
    await screen.waitFor(() => expect(text()).toContain('There are no incidents matching this criteria'))
    expect(radio('i1')?.checked).toBe(true)
    expect(text()).toContain('INC-1 Checkout is down')
  })

  it('shows the incident that was chosen beforehand, though it is older than those that are listed', async () => {
    const old = { id: 'i0', incident_id: 'INC-0', title: 'Long ago', status: 'open', severity: 'low' }
    server = createFakeServer()
    server.on('GET /api/db/incidents?select=id,incident_id,title,status&id=eq.i0', () => json([old]))
    server.on('GET /api/db/incidents', () => json([{ ...old, id: 'i1', incident_id: 'INC-1', title: 'Checkout' }]))
    server.on('GET /api/db/hypotheses', () => json([]))
    const evidence = { type: 'check', check_id: 'check-1', description: 'Payments' } as const
    screen = await renderScreen(<LinkToIncidentDialog evidence={evidence} incidentId="i0" onClose={onClose} />)
    await screen.waitFor(() => expect(text()).toContain('INC-0 Long ago'))
    expect(radio('i0')?.checked).toBe(true)
    await pick('i1')
    expect([radio('i0'), radio('i1')?.checked]).toEqual([null, true])
  })

  it('says of an incident that was chosen beforehand and is gone what it is', async () => {
    server = createFakeServer()
    server.on('GET /api/db/incidents', (url) => {
      const isOne = url.searchParams.get('id') !== null
      return json(isOne ? [] : [{ id: 'i1', incident_id: 'INC-1', title: 'Checkout', status: 'open', severity: 'low' }])
    })
    server.on('GET /api/db/hypotheses', () => json([]))
    const evidence = { type: 'check', check_id: 'check-1', description: 'Payments' } as const
    screen = await renderScreen(<LinkToIncidentDialog evidence={evidence} incidentId="i0" onClose={onClose} />)
    await screen.waitFor(() => expect(text()).toContain('The incident of the link'))
    expect(radio('i0')?.checked).toBe(true)
  })

  it('lists the roots of an incident first, however many newer hypotheses it has, and says that there are more', async () => {
    const newer = Array.from({ length: 50 }, (_, index) => ({
      id: `f${index}`,
      title: `Factor ${index}`,
      type: 'factor',
      status: 'possible',
    }))
    server.on('GET /api/db/hypotheses', (url) =>
      json(
        url.searchParams.get('type') === 'neq.root'
          ? newer
          : [{ id: 'h1', title: 'Disk', type: 'root', status: 'possible' }],
      ),
    )
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    const listed = [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')].map(({ value }) => value)
    expect(listed.slice(-51, -49)).toEqual(['h1', 'f0'])
    expect(text()).toContain('Only the newest are listed. Search for others.')
  })

  it('keeps the hypothesis that was chosen in sight after the other way was looked at, though it is not listed', async () => {
    const old = { id: 'h0', title: 'Long ago', type: 'factor', status: 'likely' }
    let isListed = true
    server.on('GET /api/db/hypotheses', (url) => {
      if (url.searchParams.get('id') === 'eq.h0') return json([old])
      return json(url.searchParams.get('type') === 'neq.root' && isListed ? [old] : [])
    })
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h0')).not.toBeNull())
    await pick('h0')
    isListed = false
    await chooseNew()
    await screen.click(document.querySelector('[role="dialog"] [role="radio"]'))
    await screen.waitFor(() => expect(text()).toContain('Long ago'))
    expect(radio('h0')?.checked).toBe(true)
  })

  it('creates a hypothesis in the chosen incident and attaches the evidence to it', async () => {
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    await screen.type(document.querySelector('[role="dialog"] [placeholder="Search for hypothesis"]'), 'Memory')
    await screen.advance(500)
    await screen.click(createButton())
    expect(radio('new')?.checked).toBe(true)
    expect(text()).toContain('Memory')
    expect(createButton()).toBeNull()
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const [[, hypothesis] = [], [, evidence] = []] = calls
    expect(calls.map(([path]) => path)).toEqual(['/api/db/hypotheses', '/api/db/evidences'])
    expect(hypothesis).toMatchObject({ incident_id: 'i1', title: 'Memory', type: 'root', status: 'possible' })
    expect(hypothesis).toMatchObject({ created_by: 'user-1' })
    expect(evidence).toMatchObject({ hypothesis_id: hypothesis?.['id'], check_id: 'check-1' })
  })

  it('makes no second hypothesis when it is tried again', async () => {
    server.on('POST /api/db/evidences', () => json({ message: 'try later' }, 503))
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    await screen.type(document.querySelector('[role="dialog"] [placeholder="Search for hypothesis"]'), 'Memory')
    await screen.advance(500)
    await screen.click(createButton())
    await submit(screen)
    await screen.waitFor(() => expect(document.body.textContent).toContain('try later'))
    server.on('POST /api/db/hypotheses', (url, init) => {
      calls.push([url.pathname, JSON.parse(init.body as string) as Record<string, unknown>])
      return json(refusal('PROXY_BACKEND_REFUSED', 'duplicate key', '23505'), 409)
    })
    server.on('PATCH /api/db/hypotheses', () => json([]))
    server.on('POST /api/db/evidences', () => json([]))
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const ids = calls.filter(([path]) => path === '/api/db/hypotheses').map(([, row]) => row['id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('goes on with a new incident under the title that was searched for', async () => {
    await open()
    await screen.type(document.querySelector('[role="dialog"] [placeholder="Search for incident"]'), 'Labels late')
    await screen.advance(500)
    await screen.click(createButton())
    expect(fieldOf('Title')).toMatchObject({ value: 'Labels late' })
  })

  it('says what a new incident lacks', async () => {
    await open()
    await chooseNew()
    await submit(screen)
    expect(text()).toContain('This field is required')
    expect(text()).toContain('Please select incident severity')
    expect(text()).toContain('Please select an incident type')
    expect(calls).toEqual([])
  })

  it('creates a new incident with a root hypothesis and attaches the evidence to it', async () => {
    await open()
    await chooseNew()
    await screen.type(fieldOf('Title'), 'Payments fail')
    await setField(fieldOf('Severity'), 'high')
    await setField(fieldOf('Type'), 'availability')
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const [[, incident] = [], [, hypothesis] = [], [, evidence] = []] = calls
    expect(calls.map(([path]) => path)).toEqual(['/api/db/incidents', '/api/db/hypotheses', '/api/db/evidences'])
    expect(incident).toMatchObject({ title: 'Payments fail', description: '', status: 'open', severity: 'high' })
    expect(hypothesis).toMatchObject({ incident_id: incident?.['id'], type: 'root', status: 'possible' })
    expect(evidence).toMatchObject({ hypothesis_id: hypothesis?.['id'], check_id: 'check-1' })
  })

  it("shows the server's words when it refuses, and keeps what was chosen", async () => {
    server.on('POST /api/db/evidences', () => json({ message: 'you may not' }, 403))
    await open()
    await pick('i1')
    await screen.waitFor(() => expect(radio('h1')).not.toBeNull())
    await pick('h1')
    await submit(screen)
    await screen.waitFor(() => expect(document.body.textContent).toContain('you may not'))
    expect(onClose).not.toHaveBeenCalled()
    expect(radio('h1')?.checked).toBe(true)
  })
})
