import { RequestError } from '../../api/request.ts'
import { HEAD } from './draft.ts'
import type { SpecFinding } from './spec/findProblems.ts'

/** PostgreSQL's code of a broken unique index; here there is one, over name, namespace and source. */
const NOT_UNIQUE = '23505'

/** A refusal of the server that belongs to a field. */
export function toRefusal(error: unknown): SpecFinding | null {
  if (!(error instanceof RequestError) || error.details.sourceCode !== NOT_UNIQUE) return null
  return { path: [HEAD, 'name'], message: 'This namespace already has a check of this name', level: 'error' }
}
