import { faultsOf } from '../../ui/form/fieldFault.ts'
import { HEAD } from './draft.ts'
import type { SpecFinding } from './spec/findProblems.ts'

const HEAD_FIELDS: ReadonlySet<string> = new Set(['name', 'namespace'])

/** A refusal of the server that belongs to a field of the head. */
export function toRefusal(error: unknown): SpecFinding | null {
  const fault = faultsOf(error).find(({ field }) => HEAD_FIELDS.has(field))
  return fault === undefined ? null : { path: [HEAD, fault.field], message: fault.message, level: 'error' }
}
