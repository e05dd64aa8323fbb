import type { DodVerdict } from '@watchroom/shared/incidents'
import { definitionOfDoneTopic, topicKey } from '@watchroom/shared/protocol'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import type { IncidentWorld, Page } from '#support/incidentWorld.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { DefinitionOfDone } from '../../../../../web/src/features/incident-room/dod/DefinitionOfDone.tsx'
import { CHECK_EVIDENCE, evidenceOf, type EvidencePage, NOTHING, openEvidencePage } from '../evidencePage.tsx'

let opened: EvidencePage
let world: IncidentWorld
let ana: Page
let bo: Page
let screen: RenderedScreen

beforeEach(async () => {
  opened = await openEvidencePage()
  ;({ world, ana, bo } = opened)
})
afterEach(() => opened.close())

async function open(page: Page = ana): Promise<void> {
  await opened.show(<DefinitionOfDone incidentId={INCIDENT} />, page)
  screen = opened.screen
}

/** What the gateway tells about the scripts. */
async function tell(...verdicts: DodVerdict[]): Promise<void> {
  await act(async () =>
    screen.queryClient.setQueryData(topicKey(definitionOfDoneTopic, { incidentId: INCIDENT }), verdicts),
  )
  await screen.advance(0)
}

const items = () => [...screen.container.querySelectorAll<HTMLElement>('[data-evidence]')]
const item = (text: string): HTMLElement => {
  const found = items().find(({ textContent }) => textContent?.includes(text))
  if (!found) throw new Error(`no item says ${text}`)
  return found
}
const labelled = (within: ParentNode, label: string) =>
  within.querySelector<HTMLButtonElement>(`button[aria-label^="${label}"]`)
/** Button of the dialog or question that is open. */
const dialogButton = (text: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[role$="dialog"] button')].find(
    ({ textContent }) => textContent === text,
  ) ?? null
const dialogText = () => document.querySelector('[role$="dialog"]')?.textContent ?? ''
const area = () => document.querySelector<HTMLTextAreaElement>('[role="dialog"] textarea')
/** Automatic or Manual, with what it means. */
const choice = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button')].find(({ textContent }) =>
    textContent?.startsWith(name),
  ) ?? null

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

  it('marks a condition as done and as not done, each after a question', async () => {
    const manual = ana.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'Tell the carriers' } })
    ana.edit.setDefinitionOfDone(manual, true)
    await open()
    await screen.click(labelled(item('Tell the carriers'), 'Mark as done'))
    expect(evidenceOf(ana, manual)?.done).toBeNull()
    await screen.click(dialogButton('Mark as done'))
    await opened.settle()
    expect(evidenceOf(bo, manual)).toMatchObject({ done: true, doneBy: ANA })
    await screen.click(labelled(item('Tell the carriers'), 'Mark as not done'))
    await screen.waitFor(() => expect(dialogButton('Mark as not done')).not.toBeNull())
    await screen.click(dialogButton('Mark as not done'))
    expect(evidenceOf(ana, manual)?.done).toBe(false)
  })

  it('lets nobody tick what an expression decides, and someone what none decides', async () => {
    const log = ana.edit.addEvidence({ ...NOTHING, type: 'log', component_id: testId('k', 1), description: 'tail' })
    ana.edit.setDefinitionOfDone(log, true)
    await open()
    expect(labelled(item('queue depth'), 'Mark as')).toBeNull()
    expect(labelled(item('tail'), 'Mark as done')).not.toBeNull()
  })

  it('shows condition by condition how an expression stands, and how long a hold still takes', async () => {
    await open()
    const since = world.clock.now() - 60_000
    const age = { text: "check.age > duration('5m')", holds: false, error: null, holdsSince: since, holdMs: 300_000 }
    const status = { text: "check.status == 'healthy'", holds: true, error: null, holdsSince: null, holdMs: null }
    const verdict = { id: CHECK_EVIDENCE, done: false, error: null, holdsSince: since, holdMs: 300_000 }
    await tell({ ...verdict, clauses: [status, age] })
    const clauses = () => [...item('queue depth').querySelectorAll<HTMLElement>('[aria-label="Conditions"] li')]
    expect(clauses().map(({ dataset }) => dataset['holds'])).toEqual(['true', 'false'])
    expect(item('queue depth').textContent).toContain('Holding')
    expect(clauses()[1]?.textContent).toContain('4:00 left')
    await screen.advance(61_000)
    expect(clauses()[1]?.textContent).toContain('2:59 left')
    await screen.advance(180_000)
    expect(clauses()[1]?.textContent).toContain('held 5m')
  })

  it('says why a condition cannot be told', async () => {
    await open()
    const broken = { text: 'check.status == 1', holds: null, error: 'no such overload', holdsSince: null, holdMs: null }
    await tell({
      id: CHECK_EVIDENCE,
      done: null,
      error: 'no such overload',
      clauses: [broken],
      holdsSince: null,
      holdMs: null,
    })
    expect(item('queue depth').textContent).toContain('Can’t be evaluated')
    expect(item('queue depth').textContent?.match(/no such overload/g)).toHaveLength(1)
  })

  it('takes an item out after a question; the evidence stays', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Remove from definition of done'))
    expect(items()).toHaveLength(1)
    await screen.click(dialogButton('Remove from definition'))
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

  it('writes nothing that was not typed: what someone else wrote meanwhile stays', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    bo.edit.setScript(CHECK_EVIDENCE, "check.status == 'warning'")
    await opened.settle()
    await screen.advance(100)
    expect(area()?.value).toBe("check.status == 'warning'")
    await screen.click(dialogButton('Save'))
    await screen.waitFor(() => expect(dialogButton('Save')).toBeNull())
    await opened.settle()
    expect(evidenceOf(bo, CHECK_EVIDENCE)?.script).toBe("check.status == 'warning'")
  })

  it('shows beside what is typed what someone else wrote meanwhile, to be taken or replaced', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    await setField(area(), 'mine')
    bo.edit.setScript(CHECK_EVIDENCE, 'theirs')
    await opened.settle()
    await screen.advance(100)
    expect(area()?.value).toBe('mine')
    expect(dialogText()).toContain('Someone else changed this')
    expect(dialogText()).toContain('theirs')
    await screen.click(dialogButton('Use theirs'))
    expect(area()?.value).toBe('theirs')
    expect(dialogText()).not.toContain('Someone else changed this')
    await setField(area(), 'mine after all')
    await screen.click(dialogButton('Save'))
    await opened.settle()
    expect(evidenceOf(bo, CHECK_EVIDENCE)?.script).toBe('mine after all')
  })

  it('keeps the dialog, and what is typed in it, when someone else takes the item out', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    await setField(area(), 'mine')
    bo.edit.setDefinitionOfDone(CHECK_EVIDENCE, false)
    await opened.settle()
    await screen.advance(100)
    expect(items()).toHaveLength(0)
    expect(area()?.value).toBe('mine')
    expect(dialogText()).toContain('Someone removed this from the definition of done.')
    expect(dialogButton('Save')?.disabled).toBe(true)
  })

  it('has what was typed again after a session that ended, and nothing that was given up', async () => {
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    await setField(area(), 'half-written')
    await screen.close()
    await open()
    await screen.click(labelled(item('queue depth'), 'Edit'))
    expect(area()?.value).toBe('half-written')
    expect(dialogText()).toContain('Your unsaved changes are back.')
    await screen.click(dialogButton('Cancel'))
    await screen.click(dialogButton('Discard'))
    await screen.click(labelled(item('queue depth'), 'Edit'))
    expect(area()?.value).not.toBe('half-written')
  })

  it('puts a condition into other words; the item and what was said about it stay', async () => {
    const manual = bo.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'Tell the carriers' } })
    bo.edit.setDefinitionOfDone(manual, true)
    bo.edit.setDone(manual, true)
    await opened.settle()
    await open()
    await screen.click(labelled(item('Tell the carriers'), 'Edit'))
    await setField(area(), '  ')
    expect(dialogButton('Save')?.disabled).toBe(true)
    await setField(area(), 'Tell everyone')
    await screen.click(dialogButton('Save'))
    expect(items()).toHaveLength(2)
    expect(item('Tell everyone').dataset['evidence']).toBe(manual)
    await opened.settle()
    expect(evidenceOf(bo, manual)).toMatchObject({
      done: true,
      doneBy: BO,
      removed: null,
      description: 'Tell everyone',
    })
  })

  it('offers no changes to those who only read', async () => {
    const reader = await opened.join({ userId: BO, canWrite: false })
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
    await screen.click(choice('Automatic'))
    expect(dialogText()).toContain('Topology')
    expect(dialogText()).not.toContain('queue depth')
    expect(dialogButton('Next')?.disabled).toBe(true)
    await screen.click(document.querySelector(`[role="dialog"] input[value="${topology}"]`))
    expect(dialogButton('Next')?.disabled).toBe(false)
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton("component.status == 'healthy'"))
    await screen.click(dialogButton('Add'))
    await opened.settle()
    expect(evidenceOf(bo, topology)).toMatchObject({
      isDefinitionOfDone: true,
      script: "component.status == 'healthy'",
    })
  })

  it('is where it was left after a session that ended', async () => {
    await openDialog()
    await screen.click(choice('Manual'))
    await setField(area(), 'Tell the carriers')
    await screen.close()
    await openDialog()
    expect(area()?.value).toBe('Tell the carriers')
    // Emptied to be written anew.
    await setField(area(), '')
    await setField(area(), 'Tell everyone')
    await screen.click(dialogButton('Discard them'))
    expect(choice('Manual')).not.toBeNull()
    expect(area()).toBeNull()
  })

  it('adds chosen evidence without an expression, and goes back on the way', async () => {
    const log = ana.edit.addEvidence({ ...NOTHING, type: 'log', component_id: testId('k', 1), description: 'tail' })
    await openDialog()
    await screen.click(choice('Automatic'))
    await screen.click(document.querySelector(`[role="dialog"] input[value="${log}"]`))
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton('Back'))
    await screen.click(dialogButton('Next'))
    await screen.click(dialogButton('Add'))
    expect(evidenceOf(ana, log)).toMatchObject({ isDefinitionOfDone: true, script: null })
  })

  it('adds a condition in words, once there are words', async () => {
    await openDialog()
    await screen.click(choice('Manual'))
    expect(dialogButton('Add')?.disabled).toBe(true)
    await setField(area(), '   ')
    expect(dialogButton('Add')?.disabled).toBe(true)
    await setField(area(), 'Tell the carriers')
    await screen.click(dialogButton('Add'))
    expect(item('Tell the carriers').textContent).toContain('Manual')
    await opened.settle()
    expect(bo.room().view.evidence.find(({ description }) => description === 'Tell the carriers')).toMatchObject({
      type: 'comment',
      evidence: { comment: 'Tell the carriers' },
      isDefinitionOfDone: true,
      hypothesis_id: testId('h', 1),
    })
  })

  it.each([
    {
      type: 'check' as const,
      ids: { check_id: testId('c', 2) },
      example: "check.status == 'healthy' && check.age > duration('5m')",
    },
    {
      type: 'config_analysis' as const,
      ids: { config_id: testId('g', 1), config_analysis_id: testId('n', 1) },
      example: "analysis.status == 'resolved'",
    },
    { type: 'topology' as const, ids: { component_id: testId('k', 1) }, example: "component.status == 'healthy'" },
  ])('offers an example of an expression for $type', async ({ type, ids, example }) => {
    const id = ana.edit.addEvidence({ ...NOTHING, ...ids, type, description: 'new' })
    await openDialog()
    await screen.click(choice('Automatic'))
    await screen.click(document.querySelector(`[role="dialog"] input[value="${id}"]`))
    await screen.click(dialogButton('Next'))
    expect(dialogButton(example)).not.toBeNull()
  })

  it('says why there is nothing to choose', async () => {
    await openDialog()
    await screen.click(choice('Automatic'))
    expect(dialogText()).toContain('There are no evidences which are not part of definition of done')
    const moderator = await opened.join({ userId: BO, isModerator: true })
    moderator.edit.removeEvidence(CHECK_EVIDENCE)
    await opened.settle()
    await screen.waitFor(() => expect(dialogText()).toContain('There are no evidences provided for this incident'))
    expect(dialogButton('Next')?.disabled).toBe(true)
  })
})
