import { z } from 'zod'

import { type ReadText, toSpecText } from '../../editor/readSpecText.ts'
import { keyProblem, toPairs } from '../../ui/form/pairs.ts'
import { REQUIRED_TEXT } from '../../ui/form/rules.ts'
import type { CanaryRow } from './canaryRow.ts'
import { findSpecProblems, type SpecFinding } from './spec/findProblems.ts'
import { orderSpec } from './spec/orderSpec.ts'

/** What someone is writing. The spec is its YAML text, whichever view edits it. */
export const DraftSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  labels: z.array(z.object({ key: z.string(), value: z.string() })),
  text: z.string(),
})
export type Draft = z.infer<typeof DraftSchema>

/** A draft, and what its text says. */
export interface Definition {
  readonly draft: Draft
  readonly spec: CanaryRow['spec']
}

export const NEW_DRAFT: Draft = { name: '', namespace: 'default', labels: [], text: '' }

export const toDraft = (row: CanaryRow): Draft => ({
  name: row.name,
  namespace: row.namespace ?? '',
  labels: [...toPairs(row.labels)],
  text: toSpecText(orderSpec(row.spec)),
})

/** Labels and spec as one text, to be compared with another version. */
export function toComparable({ labels, text }: Draft): string {
  const shown = labels.filter(({ key }) => key !== '').map(({ key, value }) => `  ${key}: ${value}`)
  return [...(shown.length === 0 ? [] : ['# labels', ...shown, '# spec']), text.trimEnd()].join('\n')
}

/** Place of a finding outside of the spec. */
export const HEAD = 'canary'

/**
 * Everything that is wrong with a draft; places in the spec are paths of the spec.
 *
 * @param isJudged whether the backend judges by the same schemas; otherwise what it may accept is only a doubt
 */
export function findDraftProblems(draft: Draft, read: ReadText, isJudged: boolean): SpecFinding[] {
  const findings: SpecFinding[] = []
  const error = (path: SpecFinding['path'], message: string): void =>
    void findings.push({ path, message, level: 'error' })
  if (draft.name.trim() === '') error([HEAD, 'name'], REQUIRED_TEXT)
  if (draft.namespace.trim() === '') error([HEAD, 'namespace'], REQUIRED_TEXT)
  for (const index of draft.labels.keys()) {
    const problem = keyProblem(draft.labels, index)
    if (problem !== undefined) error([HEAD, 'labels', index], problem)
  }
  if (read.problem) error([], read.problem.message)
  if (read.spec === null) return findings
  const ofSpec = findSpecProblems(read.spec)
  return [...findings, ...(isJudged ? ofSpec : ofSpec.map(toDoubt))]
}

/** No backend accepts a definition without checks. */
const toDoubt = (finding: SpecFinding): SpecFinding =>
  finding.level === 'error' && finding.path.length > 0 ? { ...finding, level: 'doubt' } : finding
