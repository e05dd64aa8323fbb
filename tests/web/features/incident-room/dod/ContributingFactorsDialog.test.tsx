import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ANA, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentRoomProvider } from '../../../../../web/src/collab/IncidentRoomProvider.tsx'
import { ContributingFactorsDialog } from '../../../../../web/src/features/incident-room/dod/ContributingFactorsDialog.tsx'
import { refusing } from '../evidencePage.tsx'

let world: IncidentWorld
let ana: Page
let screen: RenderedScreen
let closed: number
let log: string

beforeEach(async () => {
  closed = 0
  createFakeServer().on('GET /api/db/evidences', () => json([]))
  world = await createIncidentWorld()
  ana = await world.openPage({ userId: ANA, name: 'Ana' })
  log = ana.edit.addEvidence({
    hypothesis_id: testId('h', 2),
    type: 'log',
    description: 'tail of the queue',
    component_id: testId('k', 1),
    config_id: null,
    config_change_id: null,
    config_analysis_id: null,
    check_id: null,
    evidence: null,
    properties: null,
  })
  await world.settle()
})
afterEach(async () => {
  await screen.close()
  await world.close()
  vi.unstubAllGlobals()
})

async function open(status: 'mitigated' | 'resolved' | 'new' = 'mitigated', page: Page = ana): Promise<void> {
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={page}>
      <ContributingFactorsDialog status={status} onClose={() => (closed += 1)} />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
}

const dialog = () => document.querySelector('[role="dialog"]')
const button = (text: string) =>
  [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === text) ?? null
const status = () => ana.room().view.incident.status
const isFlagged = () => ana.room().view.evidence.find(({ id }) => id === log)?.isDefinitionOfDone
const toasts = () => pageOf().toastText('bottom-right')

describe('ContributingFactorsDialog', () => {
  it('lists evidence that is not part of the definition of done', async () => {
    await open()
    expect(dialog()?.textContent).toContain('Add contributing factors to definition of done')
    expect(dialog()?.textContent).toContain('tail of the queue')
    expect(dialog()?.textContent).not.toContain('queue depth')
  })

  it('tells evidence about the same thing apart by what was said and by the hypothesis', async () => {
    await open()
    expect(dialog()?.querySelector('label')?.textContent).toBe('tail of the queueQueue is full')
  })

  it('asks for at least one', async () => {
    await open()
    await screen.click(button('Submit'))
    expect(dialog()?.textContent).toContain('Please select atleast one evidence')
    expect([status(), closed]).toEqual(['open', 0])
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    expect(dialog()?.textContent).not.toContain('Please select atleast one evidence')
  })

  it('flags what was chosen and changes the status', async () => {
    await open('resolved')
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    await screen.click(button('Submit'))
    expect([isFlagged(), status(), closed]).toEqual([true, 'resolved', 1])
    await screen.waitFor(() => expect(toasts()).toContain('Incident status updated successfully'))
  })

  it('changes the status also when a factor cannot be flagged, and says nothing of that', async () => {
    await open('mitigated', refusing(ana, 'setDefinitionOfDone'))
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    await screen.click(button('Submit'))
    expect([isFlagged(), status(), closed]).toEqual([false, 'mitigated', 1])
    await screen.waitFor(() => expect(toasts()).toContain('Incident status updated successfully'))
    expect(toasts()).not.toContain('Marking evidence')
  })

  it('changes the status alone when skipped', async () => {
    await open()
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    await screen.click(button('Skip'))
    expect([isFlagged(), status(), closed]).toEqual([false, 'mitigated', 1])
  })

  it('changes nothing when cancelled', async () => {
    await open()
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    await screen.click(button('Cancel'))
    expect([isFlagged(), status(), closed]).toEqual([false, 'open', 1])
  })

  it('says so when the status can no longer follow', async () => {
    await open('new')
    await screen.click(button('Skip'))
    expect([status(), closed]).toEqual(['open', 1])
    await screen.waitFor(() => expect(toasts()).toContain('Incident status updated failed'))
  })
})
