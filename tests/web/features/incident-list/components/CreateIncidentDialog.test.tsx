import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dialog, fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { currentPlace, Place } from '#support/web/Place.tsx'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import type { EvidenceDraft } from '../../../../../web/src/api/incidentCreation.ts'
import { CreateIncidentDialog } from '../../../../../web/src/features/incident-list/components/CreateIncidentDialog.tsx'

let server: FakeServer
let screen: RenderedScreen
/** Method, path and body of every call. */
let calls: [string, Record<string, unknown>][] = []
const onClose = vi.fn()

const accept = (start: string, answer: () => Response = () => json([])) =>
  server.on(start, (url, init) => {
    calls.push([`${init.method} ${url.pathname}`, JSON.parse(init.body as string) as Record<string, unknown>])
    return answer()
  })

beforeEach(() => {
  calls = []
  onClose.mockClear()
  server = createFakeServer()
  for (const table of ['incidents', 'hypotheses', 'evidences']) accept(`POST /api/db/${table}`)
  accept('PATCH /api/db/incidents')
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(...evidence: readonly EvidenceDraft[]) {
  screen = await renderScreen(
    <>
      <Place />
      <CreateIncidentDialog onClose={onClose} evidence={evidence} />
    </>,
    { address: '/incidents' },
  )
}
const paths = () => calls.map(([path]) => path)

describe('CreateIncidentDialog', () => {
  it('starts open, of low severity, about availability', async () => {
    await open()
    const value = (label: string) => (fieldOf(label) as HTMLSelectElement | null)?.value
    expect(['Status', 'Severity', 'Type'].map(value)).toEqual(['open', 'low', 'availability'])
    expect(dialog()?.textContent).toContain('Create New Incident')
  })

  it('asks for a title before it calls anyone', async () => {
    await open()
    expect(dialog()?.textContent).not.toContain('This field is required')
    await screen.type(fieldOf('Title'), '   ')
    await submit(screen)
    expect(dialog()?.textContent).toContain('This field is required')
    expect(fieldOf('Title')?.getAttribute('aria-invalid')).toBe('true')
    expect(calls).toEqual([])
  })

  it('creates the incident, then its root hypothesis, and opens it', async () => {
    await open()
    await screen.type(fieldOf('Title'), ' Checkout is down ')
    await setField(fieldOf('Severity'), 'critical')
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const [[, incident] = [], [, hypothesis] = []] = calls
    expect(paths()).toEqual(['POST /api/db/incidents', 'POST /api/db/hypotheses'])
    const by = 'user-1'
    expect(incident).toMatchObject({ title: 'Checkout is down', description: '', severity: 'critical', status: 'open' })
    expect(incident).toMatchObject({ type: 'availability', created_by: by, commander_id: by, communicator_id: by })
    expect(hypothesis).toMatchObject({ incident_id: incident?.['id'], title: 'Checkout is down', created_by: by })
    expect(hypothesis).toMatchObject({ type: 'root', status: 'possible' })
    expect(currentPlace()).toBe(`/incidents/${String(incident?.['id'])}`)
  })

  it('attaches the evidence it was opened with to the root hypothesis', async () => {
    await open({ type: 'config', config_id: 'config-1', description: 'changed' })
    await screen.type(fieldOf('Title'), 'Checkout is down')
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    const [, [, hypothesis] = [], [path, evidence] = []] = calls
    expect(path).toBe('POST /api/db/evidences')
    expect(evidence).toMatchObject({ hypothesis_id: hypothesis?.['id'], type: 'config', config_id: 'config-1' })
    expect(evidence).toMatchObject({ description: 'changed', created_by: 'user-1' })
  })

  it("shows the server's words when it refuses, and keeps what was typed", async () => {
    accept('POST /api/db/incidents', () => json({ message: 'the disk is full' }, 500))
    await open()
    await screen.type(fieldOf('Title'), 'Checkout is down')
    await submit(screen)
    await screen.waitFor(() => expect(document.body.textContent).toContain('the disk is full'))
    expect(paths()).toEqual(['POST /api/db/incidents'])
    expect((fieldOf('Title') as HTMLInputElement).value).toBe('Checkout is down')
    expect(onClose).not.toHaveBeenCalled()
    expect(currentPlace()).toBe('/incidents')
  })

  it('goes on where it failed, so that trying again makes no second incident', async () => {
    accept('POST /api/db/hypotheses', () => json({ message: 'not now' }, 503))
    await open()
    await screen.type(fieldOf('Title'), 'Checkout is down')
    await submit(screen)
    await screen.waitFor(() => expect(document.body.textContent).toContain('not now'))
    accept('POST /api/db/hypotheses')
    await screen.type(fieldOf('Title'), 'Checkout is slow')
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(paths()).toEqual([
      'POST /api/db/incidents',
      'POST /api/db/hypotheses',
      'PATCH /api/db/incidents',
      'POST /api/db/hypotheses',
    ])
    expect(calls.at(-1)?.[1]).toMatchObject({ incident_id: calls[0]?.[1]['id'], title: 'Checkout is slow' })
  })

  it('takes a row that is there already as the one whose answer was lost', async () => {
    accept('POST /api/db/incidents', () => json(refusal('PROXY_BACKEND_REFUSED', 'duplicate key', '23505'), 409))
    await open()
    await screen.type(fieldOf('Title'), 'Checkout is down')
    await submit(screen)
    await screen.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(paths()).toEqual(['POST /api/db/incidents', 'PATCH /api/db/incidents', 'POST /api/db/hypotheses'])
  })
})
