// The one list of families that are run here. Scrapers of the others are shown, and say that they run elsewhere.
import { join } from 'node:path'

import type { BackendContext } from '../../server/context.ts'
import type { Family } from '../family.ts'
import { createFileFamily } from './file.ts'

/** Of the data directory. */
export const SOURCES_FOLDER = 'sources'

export interface FamilyDeps {
  readonly context: Pick<BackendContext, 'clock' | 'options'>
  /** The product's own data, which nobody reads as a source. */
  readonly hidden: readonly string[]
}

export function createFamilies({ context, hidden }: FamilyDeps): ReadonlyMap<string, Family> {
  const { clock, options } = context
  const roots = { own: join(options.dataDirectory, SOURCES_FOLDER), others: options.sourceRoots ?? [], hidden }
  const families = [createFileFamily({ roots, clock })]
  return new Map(families.map((family) => [family.name, family as Family]))
}
