import { PlaybookSpecSchema, RUN_STATUSES } from '@watchroom/shared/playbooks'
import { expect, it, onTestFinished } from 'vitest'

import { startEmbeddedBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { callTable } from '#support/incidentGateway.ts'

it('brings seven playbooks and runs in every status, one of them at work', { timeout: 60_000 }, async () => {
  const backend = await startEmbeddedBackend({ profile: 'demo' })
  onTestFinished(() => backend.stop())
  const playbooks = await callTable(backend, 'playbooks?select=name,spec,category')
  expect(playbooks).toHaveLength(7)
  for (const { name, spec } of playbooks)
    expect([name, PlaybookSpecSchema.safeParse(spec).success]).toEqual([name, true])
  expect(new Set(playbooks.map(({ category }) => category)).size).toBe(4)
  await eventually(
    async () => {
      const runs = await callTable(backend, 'playbook_runs?select=status,created_at')
      expect(runs.length).toBeGreaterThanOrEqual(30)
      expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(RUN_STATUSES))
      const weekAgo = Date.now() - 7 * 86_400_000
      for (const { created_at: at } of runs) expect(Date.parse(String(at))).toBeGreaterThan(weekAgo)
    },
    { timeout: 20_000, interval: 200 },
  )
  const [atWork] = await callTable(
    backend,
    'playbook_runs?status=eq.running&select=playbooks(name),playbook_run_actions(status)',
  )
  expect(atWork).toMatchObject({ playbooks: { name: 'cache-warm-up' }, playbook_run_actions: [{ status: 'running' }] })
  const early = await callTable(backend, 'playbook_runs?error=not.is.null&select=status,playbook_run_actions(id)')
  expect(early).toEqual([{ status: 'failed', playbook_run_actions: [] }])
})

it(
  'starts nothing by itself where programs are not run, and has no check that would need one',
  { timeout: 60_000 },
  async () => {
    const backend = await startEmbeddedBackend({
      profile: 'demo',
      programs: { savers: 'admin', refusal: 'the operator says so (WATCHROOM_EXEC=off)' },
    })
    onTestFinished(() => backend.stop())
    const playbooks = await callTable(backend, 'playbooks?select=spec')
    expect(playbooks).toHaveLength(7)
    for (const { spec } of playbooks) expect(spec).not.toHaveProperty('on')
    const runs = await callTable(backend, 'playbook_runs?select=status')
    expect(new Set(runs.map(({ status }) => status))).toEqual(
      new Set(['completed', 'failed', 'cancelled', 'pending', 'waiting']),
    )
    const checks = await callTable(backend, 'checks?deleted_at=is.null&select=name,type')
    expect(checks.filter(({ type }) => type === 'exec')).toEqual([])
    expect(checks).toContainEqual({ name: 'exec-no-op', type: 'self' })
  },
)
