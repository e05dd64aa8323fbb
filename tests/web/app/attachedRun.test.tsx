import type { PlaybookRunPart } from '@watchroom/shared/playbooks'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { runOfEvidence, toRunEvidence } from '../../../web/src/app/attachedRun.ts'
import { AttachedRun } from '../../../web/src/features/playbooks/components/AttachedRun.tsx'

const RUN = '018f0000-0000-7000-8000-0000000000b1'
const run = {
  kind: 'run',
  id: RUN,
  playbook_id: 'p1',
  status: 'running',
  start_time: '2025-12-31T23:58:00Z',
  playbooks: { id: 'p1', name: 'collect', title: 'Collect diagnostics' },
} as const
const step = (name: string, status: string, error: string | null = null) =>
  ({ kind: 'action', id: name, name, status, start_time: '2025-12-31T23:58:01Z', error }) as const

let parts: PlaybookRunPart[] = []
vi.mock('../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(parts) }))

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
  vi.unstubAllGlobals()
})
const said = (): string => document.body.textContent

describe('a run as evidence', () => {
  it('is known by its id, and has words for consoles that show no runs', () => {
    const { type, description, evidence } = toRunEvidence({ id: RUN, title: run.playbooks.title })
    expect([type, description, evidence?.['lines']]).toEqual(['log', 'Run of Collect diagnostics', []])
    expect(runOfEvidence({ type: 'log', evidence: evidence ?? null })).toBe(RUN)
  })

  it.each([
    ['log', { lines: [] }],
    ['log', { playbook_run_id: '../../x' }],
    ['comment', { playbook_run_id: RUN }],
    ['log', null],
  ] as const)('is not evidence of type %s with %j', (type, evidence) => {
    expect(runOfEvidence({ type, evidence })).toBeNull()
  })

  it('shows where the run and its steps stand, as it happens, and leads to it', async () => {
    createFakeServer()
    parts = [run, step('prepare', 'completed'), step('collect', 'running')]
    screen = await renderScreen(<AttachedRun id={RUN} />)
    expect(said()).toContain('Running')
    expect(said()).toContain('2m')
    expect(document.querySelector('a')?.getAttribute('href')).toBe(`/playbooks/runs/${RUN}`)
    parts = [
      { ...run, status: 'failed', end_time: '2025-12-31T23:59:00Z' },
      step('collect', 'failed', 'ended with code 3'),
    ]
    await screen.rerender(<AttachedRun key="later" id={RUN} />)
    expect([...document.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('ended with code 3'),
    ])
    expect(said()).toContain('1m 0s')
  })

  it('does not lead to a run where playbooks are switched off', async () => {
    createFakeServer()
    parts = [run]
    screen = await renderScreen(<AttachedRun id={RUN} />, { disabled: ['playbooks'] })
    expect(said()).toContain('Collect diagnostics')
    expect(document.querySelector('a')).toBeNull()
  })

  it('says so when the run is gone', async () => {
    createFakeServer()
    parts = []
    screen = await renderScreen(<AttachedRun id={RUN} />)
    expect(said()).toContain('This run no longer exists.')
  })
})
