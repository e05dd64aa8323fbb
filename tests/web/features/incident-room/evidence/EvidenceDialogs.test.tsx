import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { testId } from '#support/incidentDocument.ts'
import { type FakeServer, json } from '#support/web/fakeServer.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { FixedFeatureFlags } from '../../../../../web/src/api/featureFlags.tsx'
import { EvidenceList } from '../../../../../web/src/features/incident-room/evidence/EvidenceList.tsx'
import { EvidenceActions } from '../../../../../web/src/features/incident-room/evidenceActions.ts'
import { type EvidencePage, NOTHING, openEvidencePage, QUEUE } from '../evidencePage.tsx'

const COMPONENT = testId('k', 1)
const CONFIG = testId('g', 1)

let opened: EvidencePage
let server: FakeServer
let screen: RenderedScreen

beforeEach(async () => {
  opened = await openEvidencePage()
  server = opened.server
})
afterEach(async () => {
  await opened.close()
  vi.restoreAllMocks()
})

async function open(): Promise<void> {
  await opened.show(<EvidenceList hypothesisId={QUEUE} />)
  screen = opened.screen
}

const dialog = () => document.querySelector('[role="dialog"]')
const dialogText = () => dialog()?.textContent ?? ''
const labelled = (label: string) => document.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)
const dialogButton = (text: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button')].find(
    ({ textContent }) => textContent === text,
  ) ?? null

describe('what other areas bring to evidence', () => {
  it('stands beside it', async () => {
    opened.ana.edit.addEvidence({ ...NOTHING, type: 'config', config_id: CONFIG, evidence: {} })
    await opened.show(
      <EvidenceActions value={({ config_id: id }) => (id === CONFIG ? <button type="button">Playbooks</button> : null)}>
        <EvidenceList hypothesisId={QUEUE} />
      </EvidenceActions>,
    )
    const brought = [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Playbooks')
    expect(brought).toHaveLength(1)
  })
})

describe('details of evidence', () => {
  it('shows a config change with its diff', async () => {
    const changeId = testId('d', 1)
    opened.ana.edit.addEvidence({
      ...NOTHING,
      type: 'config_change',
      config_id: CONFIG,
      config_change_id: changeId,
      evidence: {},
    })
    server.on(`GET /api/db/config_changes?id=eq.${changeId}&config_id=eq.${CONFIG}`, () =>
      json([
        {
          id: changeId,
          change_type: 'diff',
          severity: 'high',
          summary: 'less memory',
          diff: '-512Mi\n+256Mi',
          details: { by: 'bot' },
        },
      ]),
    )
    await open()
    await screen.click(labelled('Show the change'))
    await screen.waitFor(() => expect(dialogText()).toContain('less memory'))
    expect([...document.querySelectorAll<HTMLElement>('[data-kind]')].map(({ dataset }) => dataset['kind'])).toEqual([
      'removed',
      'added',
    ])
    expect(dialogText()).toContain('"by": "bot"')
  })

  it('shows an insight, says when it is gone, and keeps it, marked as old, when it cannot be read again', async () => {
    const analysisId = testId('n', 1)
    opened.ana.edit.addEvidence({
      ...NOTHING,
      type: 'config_analysis',
      config_id: CONFIG,
      config_analysis_id: analysisId,
      evidence: {},
    })
    server.on('GET /api/db/config_analysis', () => json([]))
    await open()
    await screen.click(labelled('Show the insight'))
    await screen.waitFor(() => expect(dialogText()).toContain('Details not found'))
    await screen.click(dialogButton('Close'))
    await screen.waitFor(() => expect(dialog()).toBeNull())
    screen.queryClient.clear()
    server.on('GET /api/db/config_analysis', () =>
      json([{ id: analysisId, analyzer: 'limits', status: 'open', message: 'Too low', analysis: { limitMi: 256 } }]),
    )
    await screen.click(labelled('Show the insight'))
    await screen.waitFor(() => expect(dialogText()).toContain('Too low'))
    expect(dialogText()).toContain('"limitMi": 256')
    server.on('GET /api/db/config_analysis', () => json({ message: 'the database is away' }, 500))
    await act(() => screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(dialogText()).toContain('What is shown may be old: the database is away'))
    expect(dialogText()).toContain('Too low')
  })
})

describe('what can be done with a component', () => {
  beforeEach(() => {
    opened.ana.edit.addEvidence({ ...NOTHING, type: 'topology', component_id: COMPONENT, description: 'print-api' })
  })

  it('is linked to a config item, once one is chosen', async () => {
    const bodies: unknown[] = []
    server.on('GET /api/db/configs', () => json([{ id: CONFIG, name: 'printer', type: 'Kubernetes::Pod' }]))
    server.on('POST /api/db/config_component_relationships', (_url, init) => {
      bodies.push(JSON.parse(init.body as string))
      return json([])
    })
    await open()
    await screen.click(labelled('Link to catalog'))
    await screen.waitFor(() => expect(dialogText()).toContain('printer'))
    expect(server.requests.find((line) => line.includes('GET /api/db/configs'))).toContain('limit=50')
    expect(dialogButton('Link')?.disabled).toBe(true)
    await screen.click(document.querySelector(`[role="dialog"] input[value="${CONFIG}"]`))
    await screen.click(dialogButton('Link'))
    await screen.waitFor(() => expect(document.body.textContent).toContain('config link successful'))
    expect(bodies).toEqual([{ component_id: COMPONENT, config_id: CONFIG, selector_id: 'manual', deleted_at: null }])
  })

  it('is linked to nothing where the catalog is switched off', async () => {
    await opened.show(
      <FixedFeatureFlags areas={new Set(['config'])}>
        <EvidenceList hypothesisId={QUEUE} />
      </FixedFeatureFlags>,
    )
    expect(labelled('Download snapshot')).not.toBeNull()
    expect(labelled('Link to catalog')).toBeNull()
  })

  it("stays open with the server's words when the link fails", async () => {
    server.on('GET /api/db/configs', () => json([{ id: CONFIG, name: 'printer', type: null }]))
    server.on('POST /api/db/config_component_relationships', () => json({ message: 'linked already' }, 409))
    await open()
    await screen.click(labelled('Link to catalog'))
    await screen.waitFor(() => expect(dialogText()).toContain('printer'))
    await screen.click(document.querySelector(`[role="dialog"] input[value="${CONFIG}"]`))
    await screen.click(dialogButton('Link'))
    await screen.waitFor(() => expect(document.body.textContent).toContain('linked already'))
    expect(dialog()).not.toBeNull()
  })

  it('is downloaded as an archive of the first range without related components, named after it', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:archive')
    server.on('GET /api/snapshot/topology', () => new Response('zip'))
    await open()
    await screen.click(labelled('Download snapshot'))
    await screen.click(dialogButton('Download'))
    await screen.waitFor(() => expect(saved).toEqual(['print-api-snapshot.zip']))
    expect(server.requests.at(-1)).toBe(`GET /api/snapshot/topology/${COMPONENT}?start=15m&related=false`)
  })

  it('says that the archive could not be downloaded', async () => {
    server.on('GET /api/snapshot/topology', () => json({ error: 'no' }, 500))
    await open()
    await screen.click(labelled('Download snapshot'))
    await setField(document.querySelector('[role="dialog"] select'), '1h')
    await screen.click(document.querySelector('[role="dialog"] [type="checkbox"]'))
    await screen.click(dialogButton('Download'))
    await screen.waitFor(() => expect(document.body.textContent).toContain('Error downloading file'))
    expect(server.requests.at(-1)).toContain('start=1h&related=true')
    expect(dialog()).not.toBeNull()
  })
})
