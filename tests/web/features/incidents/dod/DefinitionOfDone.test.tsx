// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { IncidentRoomProvider } from '../../../../../web/src/collab/IncidentRoomProvider.tsx'
import { DefinitionOfDone } from '../../../../../web/src/features/incidents/components/dod/DefinitionOfDone.tsx'

const QUEUE = testId('h', 2)
const CHECK_EVIDENCE = testId('e', 1)

const NOTHING = {
  hypothesis_id: QUEUE,
  description: '',
  config_id: null,
  config_change_id: null,
  config_analysis_id: null,
  component_id: null,
  check_id: null,
  evidence: null,
  properties: null,
}

let world: IncidentWorld
let ana: Page
let bo: Page
let screen: RenderedScreen

beforeEach(async () => {
  const server = createFakeServer()
  server.on('GET /api/db/people', () => json([{ id: ANA, name: 'Ana Ash' }]))
  server.on('GET /api/db/evidences', () => json([]))
  world = await createIncidentWorld()
  ana = await world.openPage({ userId: ANA, name: 'Ana' })
  bo = await world.openPage({ userId: BO, name: 'Bo' })
})
afterEach(async () => {
  await screen.close()
  await world.close()
  vi.unstubAllGlobals()
})

async function open(page: Page = ana): Promise<void> {
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={page}>
      <DefinitionOfDone />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
}

const items = () => [...screen.container.querySelectorAll<HTMLElement>('.dod-item')]
const item = (text: string): HTMLElement => {
  const found = items().find(({ textContent }) => textContent?.includes(text))
  if (!found) throw new Error(`no item says ${text}`)
  return found
}
const labelled = (within: ParentNode, label: string) =>
  within.querySelector<HTMLButtonElement>(`button[aria-label^="${label}"]`)
/** Button of the dialog or question that is open. */
const dialogButton = (text: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('.bp6-dialog button')].find(
    ({ textContent }) => textContent === text,
  ) ?? null
const dialogText = () => document.querySelector('.bp6-dialog')?.textContent ?? ''
const area = () => document.querySelector('.bp6-dialog textarea')
const evidenceOf = (page: Page, id: string) => page.room().view.evidence.find((each) => each.id === id)

async function openDialog(): Promise<void> {
  await open()
  const add = [...screen.container.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Add definition of done',
  )
  await screen.click(add ?? null)
}

describe('DefinitionOfDone', () => {
  it('tells automatic from manual items and counts what is done', async () => {
    const manual = ana.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'Tell the carriers' } })
    ana.edit.setDefinitionOfDone(manual, true)
    ana.edit.setDone(manual, true)
    await open()
    await screen.waitFor(() => expect(item('Tell the carriers').textContent).toContain('by Ana Ash'))
    expect(items()).toHaveLength(2)
    expect(screen.container.textContent).toContain('1 of 2 done')
    expect(item('queue depth').textContent).toContain('Automatic')
    expect(item('queue depth').textContent).toContain("check.status == 'healthy'")
    expect(item('queue depth').textContent).toContain('Not done')
    expect(item('Tell the carriers').textContent).toContain('Manual')
    expect(item('Tell the carriers').querySelector('time')).not.toBeNull()
  })

  it('marks an item as done and as not done, each after a question', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Mark as done'))
    expect(evidenceOf(ana, CHECK_EVIDENCE)?.done).toBe(false)
    await screen.click(dialogButton('Mark as done'))
    await world.settle()
    expect(evidenceOf(bo, CHECK_EVIDENCE)).toMatchObject({ done: true, doneBy: ANA })
    await screen.click(labelled(item('queue depth'), 'Mark as not done'))
    await screen.waitFor(() => expect(dialogButton('Mark as not done')).not.toBeNull())
    await screen.click(dialogButton('Mark as not done'))
    expect(evidenceOf(ana, CHECK_EVIDENCE)?.done).toBe(false)
  })

  it('takes an item out after a question; the evidence stays', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Remove from definition of done'))
    expect(items()).toHaveLength(1)
    await screen.click(dialogButton('Remove'))
    expect(items()).toHaveLength(0)
    expect(evidenceOf(ana, CHECK_EVIDENCE)).toMatchObject({ isDefinitionOfDone: false, removed: null })
  })

  it('edits the expression of an automatic item', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    await setField(area(), "check.status == 'unhealthy'")
    await screen.click(dialogButton('Save'))
    expect(evidenceOf(ana, CHECK_EVIDENCE)?.script).toBe("check.status == 'unhealthy'")
    await screen.waitFor(() => expect(dialogButton('Save')).toBeNull())
  })

  it('puts another condition in the place of a manual item', async () => {
    const manual = ana.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'Tell the carriers' } })
    ana.edit.setDefinitionOfDone(manual, true)
    ana.edit.setDone(manual, true)
    await open()
    await screen.click(labelled(item('Tell the carriers'), 'Edit'))
    await setField(area(), '  ')
    expect(dialogButton('Save')?.disabled).toBe(true)
    await setField(area(), 'Tell everybody')
    await screen.click(dialogButton('Save'))
    expect(items().map(({ textContent }) => textContent?.includes('Tell the carriers'))).toEqual([false, false])
    expect(item('Tell everybody').textContent).toContain('Not done')
  })

  it('offers no changes to those who only read', async () => {
    const reader = await world.openPage({ userId: BO, canWrite: false })
    await open(reader)
    expect(items()).toHaveLength(1)
    expect(screen.container.querySelectorAll('button')).toHaveLength(0)
  })
})

describe('adding to the definition of done', () => {
  it('adds chosen evidence with an expression', async () => {
    const topology = ana.edit.addEvidence({
      ...NOTHING,
      type: 'topology',
      component_id: testId('k', 1),
      description: 'print-api',
    })
    await openDialog()
    await screen.click(dialogButton('Automatic'))
    expect(dialogText()).toContain('Topology')
    expect(dialogText()).not.toContain('queue depth')
    expect(dialogButton('Next')?.disabled).toBe(true)
    await screen.click(document.querySelector(`.bp6-dialog input[value="${topology}"]`))
    expect(dialogButton('Next')?.disabled).toBe(false)
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton("component.status == 'healthy'"))
    await screen.click(dialogButton('Add'))
    await world.settle()
    expect(evidenceOf(bo, topology)).toMatchObject({
      isDefinitionOfDone: true,
      script: "component.status == 'healthy'",
    })
  })

  it('adds chosen evidence without an expression, and goes back on the way', async () => {
    const log = ana.edit.addEvidence({ ...NOTHING, type: 'log', component_id: testId('k', 1), description: 'tail' })
    await openDialog()
    await screen.click(dialogButton('Automatic'))
    await screen.click(document.querySelector(`.bp6-dialog input[value="${log}"]`))
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton('Back'))
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton('Add'))
    expect(evidenceOf(ana, log)).toMatchObject({ isDefinitionOfDone: true, script: null })
  })

  it('adds a condition in words, once there are words', async () => {
    await openDialog()
    await screen.click(dialogButton('Manual'))
    expect(dialogButton('Add')?.disabled).toBe(true)
    await setField(area(), '   ')
    expect(dialogButton('Add')?.disabled).toBe(true)
    await setField(area(), 'Tell the carriers')
    await screen.click(dialogButton('Add'))
    expect(item('Tell the carriers').textContent).toContain('Manual')
    await world.settle()
    expect(bo.room().view.evidence.find(({ description }) => description === 'Tell the carriers')).toMatchObject({
      type: 'comment',
      evidence: { comment: 'Tell the carriers' },
      isDefinitionOfDone: true,
      hypothesis_id: testId('h', 1),
    })
  })

  it('says why there is nothing to choose', async () => {
    await openDialog()
    await screen.click(dialogButton('Automatic'))
    expect(dialogText()).toContain('There are no evidences which are not part of definition of done')
    const moderator = await world.openPage({ userId: BO, isModerator: true })
    moderator.edit.removeEvidence(CHECK_EVIDENCE)
    await world.settle()
    await screen.waitFor(() => expect(dialogText()).toContain('There are no evidences provided for this incident'))
    expect(dialogButton('Next')?.disabled).toBe(true)
  })
})
