import { z } from 'zod'

import type { CanaryRow } from './canaryRow.ts'
import { findSpecProblems, REQUIRED_TEXT, type SpecFinding } from './spec/findProblems.ts'
import { orderSpec } from './spec/orderSpec.ts'
import { type ReadText, toSpecText } from './spec/specText.ts'

const LabelSchema = z.object({ key: z.string(), value: z.string() })
export type Label = z.infer<typeof LabelSchema>

/** What somebody is writing. The spec is its YAML text, whichever view edits it. */
export const DraftSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  labels: z.array(LabelSchema),
  text: z.string(),
})
export type Draft = z.infer<typeof DraftSchema>

/** A draft that waits in the tab's storage, with what it was made from. */
export const StoredDraftSchema = z.object({ draft: DraftSchema, base: DraftSchema })

export const NEW_DRAFT: Draft = { name: '', namespace: 'default', labels: [], text: '' }

export function toDraft(row: CanaryRow): Draft {
  return {
    name: row.name,
    namespace: row.namespace ?? '',
    labels: Object.entries(row.labels ?? {}).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    text: toSpecText(orderSpec(row.spec)),
  }
}

export const isSameDraft = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Labels as they are stored; rows without key and value are rows that nobody filled in. */
export const toLabels = (labels: readonly Label[]): Record<string, string> =>
  Object.fromEntries(labels.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]))

/** Place of a finding outside of the spec. */
export const HEAD = 'canary'

/** Everything that is wrong with a draft; places in the spec are paths of the spec. */
export function findDraftProblems(draft: Draft, read: ReadText): SpecFinding[] {
  const findings: SpecFinding[] = []
  const error = (path: SpecFinding['path'], message: string): void =>
    void findings.push({ path, message, level: 'error' })
  if (draft.name.trim() === '') error([HEAD, 'name'], REQUIRED_TEXT)
  if (draft.namespace.trim() === '') error([HEAD, 'namespace'], REQUIRED_TEXT)
  const seen = new Set<string>()
  for (const [index, { key, value }] of draft.labels.entries()) {
    const name = key.trim()
    if (name === '' && value !== '') error([HEAD, 'labels', index], REQUIRED_TEXT)
    if (name !== '' && seen.has(name)) error([HEAD, 'labels', index], 'This key is already used')
    seen.add(name)
  }
  if (read.problem) error([], read.problem.message)
  return read.spec ? [...findings, ...findSpecProblems(read.spec)] : findings
}
