import { checksTopic, topicKey } from '@watchroom/shared/protocol'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { ANA, BO, testId } from '#support/incidentDocument.ts'
import type { IncidentWorld, Page } from '#support/incidentWorld.ts'
import { type FakeServer, json } from '#support/web/fakeServer.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'

import { EvidenceList } from '../../../../../web/src/features/incident-room/evidence/EvidenceList.tsx'
import { evidenceDetailsQuery } from '../../../../../web/src/features/incident-room/evidence/queries.ts'
import {
  CHECK,
  CHECK_EVIDENCE,
  evidenceOf,
  type EvidencePage,
  NOTHING,
  openEvidencePage,
  QUEUE,
  refusing,
} from '../evidencePage.tsx'

let opened: EvidencePage
let world: IncidentWorld
let ana: Page
let bo: Page
let server: FakeServer
let screen: RenderedScreen

beforeEach(async () => {
  opened = await openEvidencePage()
  ;({ world, ana, bo, server } = opened)
})
afterEach(async () => {
  vi.useRealTimers()
  await opened.close()
})

async function open(page: Page = ana): Promise<void> {
  await opened.show(<EvidenceList hypothesisId={QUEUE} />, page)
  screen = opened.screen
}

const item = (id: string): HTMLElement => {
  const found = screen.container.querySelector<HTMLElement>(`[data-evidence="${id}"]`)
  if (!found) throw new Error(`evidence ${id} is not shown`)
  return found
}
const button = (within: ParentNode, label: string): HTMLButtonElement | null =>
  [...within.querySelectorAll('button')].find(
    (found) => found.textContent === label || found.getAttribute('aria-label')?.startsWith(label),
  ) ?? null

describe('EvidenceList', () => {
  it('shows a check as it was and as it is, with who attached it and when', async () => {
    server.on('GET /api/db/evidences', () =>
      json([{ id: CHECK_EVIDENCE, checks: { id: CHECK, name: 'Queue depth', status: 'healthy' } }]),
    )
    server.on('GET /api/db/check_statuses', () =>
      json([{ check_id: CHECK, time: '2026-03-01T06:59:00', status: false, error: 'too deep' }]),
    )
    await open()
    await screen.waitFor(() => expect(item(CHECK_EVIDENCE).textContent).toContain('too deep'))
    await screen.waitFor(() => expect(item(CHECK_EVIDENCE).textContent).toContain('Queue depth'))
    expect(item(CHECK_EVIDENCE).textContent).toContain('Ana Ash')
    expect(item(CHECK_EVIDENCE).querySelector('p time')?.getAttribute('datetime')).toBe('2026-03-01T07:00:00.000Z')
    const verdicts = () =>
      [...item(CHECK_EVIDENCE).querySelectorAll('dd [data-status]')].map(({ textContent }) => textContent)
    expect(verdicts()).toEqual(['Unhealthy', 'Healthy'])
    expect(server.requests.find((line) => line.includes('check_statuses'))).toContain(
      `check_id=eq.${CHECK}&time=lte.2026-03-01T07:00:00.000Z&order=time.desc&limit=1`,
    )

    await act(async () =>
      screen.queryClient.setQueryData(topicKey(checksTopic, {}), [
        buildCheck({ id: CHECK, status: 'unhealthy', last_error: 'deeper still' }),
      ]),
    )
    await screen.advance(0)
    expect(verdicts()).toEqual(['Unhealthy', 'Unhealthy'])
    expect(item(CHECK_EVIDENCE).textContent).toContain('deeper still')
  })

  it('shows log lines with time, message and labels', async () => {
    const id = ana.edit.addEvidence({
      ...NOTHING,
      type: 'log',
      component_id: testId('k', 1),
      evidence: {
        lines: [
          { timestamp: '2026-03-01T06:00:00Z', message: 'queue is full', labels: { pod: 'print-1' } },
          { message: 'no time here' },
          'not a line',
        ],
      },
    })
    await open()
    const lines = [...item(id).querySelectorAll('[aria-label^="Log lines"] li')]
    expect(lines).toHaveLength(2)
    expect(lines[0]?.textContent).toContain('queue is full')
    expect(lines[0]?.textContent).toContain('pod: print-1')
    expect(lines[0]?.querySelector('time')?.textContent).toMatch(/2026/)
    expect(lines[1]?.textContent?.trimEnd()).toBe('no time here')
  })

  it('shows selected lines of a config with three lines around them', async () => {
    const all = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [String(index + 1), `key${index + 1}: 1`]))
    const id = ana.edit.addEvidence({
      ...NOTHING,
      type: 'config',
      config_id: testId('g', 1),
      evidence: { lines: all, selected_lines: { '10': 'key10: 1' }, configName: 'printer.yaml' },
    })
    await open()
    const lines = [...item(id).querySelectorAll<HTMLElement>('[aria-label="Config lines"] > div:not([aria-hidden])')]
    expect(lines.map((line) => line.querySelector('span')?.textContent)).toEqual([
      '7',
      '8',
      '9',
      '10',
      '11',
      '12',
      '13',
    ])
    expect(lines.map(({ dataset }) => dataset['selected'] === 'true')).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(item(id).querySelector('strong')?.textContent).toBe('printer.yaml')
  })

  it('names component, change, insight and comment with what is known of them, by one question', async () => {
    const ids = {
      topology: ana.edit.addEvidence({ ...NOTHING, type: 'topology', component_id: testId('k', 1) }),
      change: ana.edit.addEvidence({
        ...NOTHING,
        type: 'config_change',
        config_id: testId('g', 1),
        config_change_id: testId('d', 1),
        evidence: {},
      }),
      insight: ana.edit.addEvidence({
        ...NOTHING,
        type: 'config_analysis',
        config_id: testId('g', 1),
        config_analysis_id: testId('n', 1),
        evidence: {},
      }),
      comment: ana.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'Paper is loaded' } }),
    }
    const configs = { id: testId('g', 1), name: 'printer' }
    server.on('GET /api/db/evidences', () =>
      json([
        {
          id: ids.topology,
          components: { id: testId('k', 1), name: 'print-api', status: 'degraded', health: 'warning' },
        },
        { id: ids.change, configs, config_changes: { id: testId('d', 1), change_type: 'diff', summary: 'one key' } },
        { id: ids.insight, configs, config_analysis: { id: testId('n', 1), analyzer: 'limits', status: 'open' } },
      ]),
    )
    await open()
    const title = (id: string) => item(id).querySelector('strong')?.textContent
    await screen.waitFor(() => expect(title(ids.topology)).toBe('print-api'))
    expect(item(ids.topology).textContent).toContain('NowDegraded')
    expect(item(ids.topology).textContent).toContain('ThenNot recorded')
    expect(title(ids.change)).toBe('diff on printer')
    expect(item(ids.change).textContent).toContain('one key')
    expect(title(ids.insight)).toBe('limits on printer')
    expect(title(ids.comment)).toBe('Paper is loaded')
    expect(server.requests.filter((line) => line.includes('/evidences'))).toHaveLength(1)
  })

  it('shows how a component and an insight stood when they were attached, beside how they stand now', async () => {
    const topology = ana.edit.addEvidence({
      ...NOTHING,
      type: 'topology',
      component_id: testId('k', 1),
      evidence: { health: 'unhealthy' },
    })
    const insight = ana.edit.addEvidence({
      ...NOTHING,
      type: 'config_analysis',
      config_id: testId('g', 1),
      config_analysis_id: testId('n', 1),
      evidence: { status: 'open' },
    })
    server.on('GET /api/db/evidences', () =>
      json([
        { id: topology, components: { id: testId('k', 1), name: 'print-api', status: 'healthy', health: 'healthy' } },
        { id: insight, config_analysis: { id: testId('n', 1), analyzer: 'limits', status: 'resolved' } },
      ]),
    )
    await open()
    const thenNow = (id: string) => [...item(id).querySelectorAll('dd')].map(({ textContent }) => textContent)
    await screen.waitFor(() => expect(thenNow(topology)).toEqual(['Unhealthy', 'Healthy']))
    expect(thenNow(insight)).toEqual(['Open', 'Resolved'])
  })

  it('says whether a config item changed since it was attached', async () => {
    const config = { ...NOTHING, type: 'config' as const, evidence: { lines: { '1': 'a' }, selected_lines: {} } }
    const quiet = ana.edit.addEvidence({ ...config, config_id: testId('g', 1) })
    const busy = ana.edit.addEvidence({ ...config, config_id: testId('g', 2) })
    server.on(`GET /api/db/config_changes?select=id&config_id=eq.${testId('g', 2)}`, () =>
      json([{ id: 'a' }, { id: 'b' }]),
    )
    server.on(`GET /api/db/config_changes?select=id&config_id=eq.${testId('g', 1)}`, () => json([]))
    await open()
    await screen.waitFor(() => expect(item(quiet).textContent).toContain('Unchanged since'))
    await screen.waitFor(() => expect(item(busy).textContent).toContain('2 changes since'))
  })

  it('asks again every half minute how things stand now', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const topology = ana.edit.addEvidence({ ...NOTHING, type: 'topology', component_id: testId('k', 1) })
    const config = ana.edit.addEvidence({ ...NOTHING, type: 'config', config_id: testId('g', 1) })
    const answer = (health: string, changes: readonly string[]): void => {
      const component = { id: testId('k', 1), name: 'print-api', health }
      server.on('GET /api/db/evidences', () =>
        json([{ id: CHECK_EVIDENCE }, { id: topology, components: component }, { id: config }]),
      )
      server.on('GET /api/db/config_changes', () => json(changes.map((id) => ({ id }))))
    }
    answer('unhealthy', [])
    await open()
    const now = () => [topology, config].map((id) => [...item(id).querySelectorAll('dd')].at(-1)?.textContent)
    await screen.waitFor(() => expect(now()).toEqual(['Unhealthy', 'Unchanged since']))
    answer('healthy', ['a'])
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    await screen.waitFor(() => expect(now()).toEqual(['Healthy', '1 change since']))
  })

  it('asks by one question for all lists on the page, at the same moments', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const other = ana.edit.addEvidence({ ...NOTHING, type: 'log', hypothesis_id: testId('h', 1) })
    server.on('GET /api/db/evidences', () => json([{ id: CHECK_EVIDENCE }, { id: other }]))
    await opened.show(
      <>
        <EvidenceList hypothesisId={QUEUE} />
        <EvidenceList hypothesisId={testId('h', 1)} />
      </>,
    )
    screen = opened.screen
    const questions = () => server.requests.filter((line) => line.includes('/evidences'))
    await screen.waitFor(() => expect(questions()).toHaveLength(1))
    expect([CHECK_EVIDENCE, other].every((id) => questions()[0]?.includes(id))).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    await screen.waitFor(() => expect(questions()).toHaveLength(2))
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    await screen.waitFor(() => expect(questions()).toHaveLength(3))
  })

  it('says of a component and a config item that they were deleted, whatever they were at last', async () => {
    const gone = { deleted_at: '2026-03-01T06:00:00Z' }
    const [k1, g1] = [testId('k', 1), testId('g', 1)]
    const about = { component_id: null, config_id: null }
    const pieces = [
      { ...about, type: 'topology', component_id: k1 },
      { ...about, type: 'log', component_id: k1 },
      { ...about, type: 'config', config_id: g1 },
      { ...about, type: 'config_change', config_id: g1, config_change_id: testId('x', 1) },
    ] as const
    const ids = pieces.map((piece) => ana.edit.addEvidence({ ...NOTHING, ...piece }))
    server.on('GET /api/db/config_changes', () => json([]))
    server.on('GET /api/db/evidences', () =>
      json(
        ids.map((id, at) => ({
          id,
          components: at < 2 ? { id: k1, name: 'print-api', status: 'healthy', health: 'healthy', ...gone } : null,
          configs: at < 2 ? null : { id: g1, name: 'printer', ...gone },
        })),
      ),
    )
    await open()
    await screen.waitFor(() =>
      expect(ids.map((id) => [...item(id).querySelectorAll('dd')].at(-1)?.textContent)).toEqual(
        ids.map(() => 'Deleted'),
      ),
    )
  })

  it('keeps names while others add evidence, and asks again once it is saved', async () => {
    const check = { id: CHECK_EVIDENCE, checks: { id: CHECK, name: 'Queue depth' } }
    server.on('GET /api/db/evidences', () => json([check]))
    await open()
    const title = (id: string) => item(id).querySelector('strong')?.textContent
    await screen.waitFor(() => expect(title(CHECK_EVIDENCE)).toBe('Queue depth'))
    const added = bo.edit.addEvidence({ ...NOTHING, type: 'topology', component_id: testId('k', 1) })
    await opened.settle()
    expect([title(CHECK_EVIDENCE), title(added)]).toEqual(['Queue depth', 'Topology'])
    server.on('GET /api/db/evidences', () =>
      json([check, { id: added, components: { id: testId('k', 1), name: 'print-api' } }]),
    )
    await act(() => world.saved())
    await screen.waitFor(() => expect(title(added)).toBe('print-api'))
  })

  it('asks again for what others added, of whose saving nobody tells here', async () => {
    await act(() => world.saved())
    server.on('GET /api/db/evidences', () => json([]))
    await open()
    const added = bo.edit.addEvidence({ ...NOTHING, type: 'topology', component_id: testId('k', 1) })
    await opened.settle()
    const title = () => item(added).querySelector('strong')?.textContent
    await screen.waitFor(() => expect(title()).toBe('Topology'))
    server.on('GET /api/db/evidences', () =>
      json([{ id: CHECK_EVIDENCE }, { id: added, components: { id: testId('k', 1), name: 'print-api' } }]),
    )
    await screen.waitFor(() => expect(title()).toBe('print-api'))
  })

  it('asks for many in questions that are not too long', async () => {
    await open()
    server.requests.length = 0
    const ids = Array.from({ length: 160 }, (_, index) => testId('e', index))
    server.on('GET /api/db/evidences', (url) => {
      const asked = /\((.*)\)/.exec(url.searchParams.get('id') ?? '')?.[1]?.split(',') ?? []
      return json(asked.map((id) => ({ id })))
    })
    const details = await screen.queryClient.fetchQuery(evidenceDetailsQuery(ids))
    expect([...details.keys()]).toEqual(ids)
    const questions = server.requests.filter((line) => line.includes('/evidences'))
    expect(questions).toHaveLength(2)
    expect(questions.every((line) => line.length < 8_000)).toBe(true)
  })

  it('flags evidence as definition of done, and takes it out again', async () => {
    await open()
    await screen.click(button(item(CHECK_EVIDENCE), 'Remove from definition of done'))
    expect(evidenceOf(ana, CHECK_EVIDENCE)?.isDefinitionOfDone).toBe(false)
    await screen.click(button(item(CHECK_EVIDENCE), 'Add to definition of done'))
    await opened.settle()
    expect(evidenceOf(bo, CHECK_EVIDENCE)?.isDefinitionOfDone).toBe(true)
  })

  it('removes own evidence after a question, and not that of others', async () => {
    const foreign = bo.edit.addEvidence({ ...NOTHING, type: 'comment', evidence: { comment: 'of Bo' } })
    await opened.settle()
    await open()
    expect(button(item(foreign), 'Remove evidence')?.disabled).toBe(true)
    await screen.click(button(item(CHECK_EVIDENCE), 'Remove evidence'))
    expect(evidenceOf(ana, CHECK_EVIDENCE)?.removed).toBeNull()
    await screen.click(button(document.querySelector('[role="alertdialog"]') ?? document, 'Remove evidence'))
    expect(screen.container.querySelector(`[data-evidence="${CHECK_EVIDENCE}"]`)).toBeNull()
    await opened.settle()
    expect(evidenceOf(bo, CHECK_EVIDENCE)?.removed?.by).toBe(ANA)
  })

  it.each([
    { refused: 'removeEvidence' as const, label: 'Remove evidence', text: 'Evidence delete failed' },
    {
      refused: 'setDefinitionOfDone' as const,
      label: 'Remove from definition of done',
      text: 'Removing evidence from definition of done failed',
    },
  ])('says “$text” when the document refuses it', async ({ refused, label, text }) => {
    await open(refusing(ana, refused))
    await screen.click(button(item(CHECK_EVIDENCE), label))
    if (refused === 'removeEvidence') {
      await screen.click(button(document.querySelector('[role="alertdialog"]') ?? document, 'Remove evidence'))
    }
    await screen.waitFor(() => expect(document.body.textContent).toContain(text))
  })

  it('says that marking evidence failed when the document refuses it', async () => {
    ana.edit.setDefinitionOfDone(CHECK_EVIDENCE, false)
    await open(refusing(ana, 'setDefinitionOfDone'))
    await screen.click(button(item(CHECK_EVIDENCE), 'Add to definition of done'))
    await screen.waitFor(() =>
      expect(document.body.textContent).toContain('Marking evidence as part of definition of done failed'),
    )
  })

  it('lets a moderator remove what others attached', async () => {
    const moderator = await opened.join({ userId: BO, isModerator: true })
    await open(moderator)
    expect(button(item(CHECK_EVIDENCE), 'Remove evidence')?.disabled).toBe(false)
  })

  it('offers no changes to those who only read', async () => {
    const reader = await opened.join({ userId: BO, canWrite: false })
    await open(reader)
    expect(item(CHECK_EVIDENCE).querySelectorAll('button')).toHaveLength(0)
  })
})
