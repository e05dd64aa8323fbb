import { toDodKey, toEdgeKey } from '@watchroom/shared/collab'

import type { Authors } from './createAuthors.ts'
import type { RowWrite } from './incidentTables.ts'

/**
 * The person whose change a write carries, for the backend's histories. Where several people changed one row, the author of
 * what histories are about (a status, a verdict) counts before the author of a text.
 */
export function authorOf(authors: Pick<Authors, 'of'>, write: RowWrite): string | null {
  for (const path of pathsOf(write)) {
    const author = authors.of(path)
    if (author !== undefined) return author
  }
  return null
}

/** Paths in the document behind a write, those that histories name first. */
function pathsOf(write: RowWrite): string[] {
  const { entity, id } = write
  const fields = write.kind === 'update' ? Object.keys(write.row).toSorted(byWeight) : []
  switch (entity) {
    case 'incidents':
      return fields.map((field) => `incident/${field}`)
    case 'hypotheses': {
      const parent = write.kind === 'delete' ? undefined : (write.row['parent_id'] as string | null | undefined)
      const edge = parent === undefined ? [] : [`edges/${toEdgeKey(id, parent)}`]
      if (write.kind === 'insert') return [`hypotheses/${id}`]
      const changed = fields.map((field) => `hypotheses/${id}/${field}`)
      return [...changed, ...edge, `hypotheses/${id}/removed`, `hypotheses/${id}`]
    }
    case 'evidences': {
      const verdicts = fields.map((field) => toDodKey(id, field === 'definition_of_done' ? 'member' : field))
      return [...verdicts.map((key) => `dod/${key}`), `evidenceOff/${id}`, `evidence/${id}`]
    }
    case 'comments':
      return write.kind === 'delete'
        ? [`comments/${id}/removed`, `comments/${id}`]
        : [`comments/${id}/body`, `comments/${id}`]
  }
}

const TEXTS = new Set(['title', 'description', 'comment'])
const byWeight = (a: string, b: string): number => Number(TEXTS.has(a)) - Number(TEXTS.has(b))
