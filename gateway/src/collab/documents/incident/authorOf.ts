import { fieldOfColumn, FIELDS, REST_MS, toDodKey, toEdgeKey } from '@watchroom/shared/collab'

import type { RowWrite } from '../../documentKind.ts'
import type { Authors } from '../../room/createAuthors.ts'

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
  const columns = write.kind === 'update' ? Object.keys(write.row) : []
  const weightOf = (column: string): number => Number(fieldOfColumn(entity, column)?.field.restMs === REST_MS.text)
  // What histories are about comes before texts.
  const fields = columns
    .toSorted((a, b) => weightOf(a) - weightOf(b))
    .map((column) => fieldOfColumn(entity, column)?.key ?? column)
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
      return [...fields.map((field) => `dod/${toDodKey(id, field)}`), `evidenceOff/${id}`, `evidence/${id}`]
    }
    case 'comments':
      return write.kind === 'delete'
        ? [`comments/${id}/removed`, `comments/${id}`]
        : [
            ...(write.kind === 'insert' ? Object.keys(FIELDS.comments) : fields).map(
              (field) => `comments/${id}/${field}`,
            ),
            `comments/${id}`,
          ]
    default:
      return []
  }
}
