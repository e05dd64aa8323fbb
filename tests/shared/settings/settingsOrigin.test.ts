import { NIL_UUID } from '@watchroom/shared/kernel'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import { describe, expect, it } from 'vitest'

/** The reason for a check of this origin. */
const reasonFor = (origin: { source?: string | null; agent_id?: string; deleted_at?: string }, agentName?: string) =>
  toReadOnlyReason('check', { id: 'c1', agent_id: NIL_UUID, ...origin }, agentName)

describe('toReadOnlyReason', () => {
  it.each([null, undefined, '', 'UI', 'ui', 'self', 'demo'])('lets people edit what has the source %s', (source) => {
    expect(reasonFor({ source: source ?? null })).toBeNull()
  })

  it.each([
    ['kubernetes/cfg-1', '/catalog/cfg-1'],
    ['KubernetesCRD', '/catalog/c1'],
    ['component/comp-1', '/topology/comp-1'],
  ])('leads from the source %s to where it is defined', (source, to) => {
    expect(reasonFor({ source })?.link?.to).toBe(to)
  })

  it.each([
    ['ConfigFile', 'Linked to local file'],
    ['Push', 'pushed from outside'],
    ['push', 'pushed from outside'],
  ])('says why the source %s cannot be edited', (source, text) => {
    expect(reasonFor({ source })?.text).toContain(text)
  })

  it('names the agent that a row belongs to', () => {
    const reason = reasonFor({ source: 'UI', agent_id: 'a1' }, 'edge')
    expect(reason?.link).toEqual({ to: '/settings/agents', search: { id: 'a1' }, text: 'Linked to edge' })
  })

  it('does not let anyone edit what was deleted', () => {
    expect(reasonFor({ deleted_at: '2026-01-01T00:00:00Z' })?.text).toContain('deleted')
  })
})
