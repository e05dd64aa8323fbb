import type { IncidentView } from '@watchroom/shared/collab'

import type { Place } from '../../collab/contract.ts'
import { hypothesisTitle } from './hypothesisTitle.ts'

const NEW_COMMENT_ID = 'new'
/** Where someone writes a comment that nobody else sees yet: below all of them, or below those of a hypothesis. */
export const NEW_COMMENT: Place = { entity: `comments/${NEW_COMMENT_ID}`, field: 'comment' }
export const newCommentOf = (hypothesisId: string): Place => ({
  entity: `hypotheses/${hypothesisId}`,
  field: 'comment',
})

/** Whether someone writes a comment there: of any hypothesis, or of one. */
export const isNewComment = (place: Place | null | undefined, hypothesisId?: string): boolean =>
  place?.field === NEW_COMMENT.field && (hypothesisId === undefined || place?.entity === `hypotheses/${hypothesisId}`)

/** What an entity of the document is called, or a tab of the page; undefined when it is gone. */
export function nameOfPlace(view: IncidentView, entity: string): string | undefined {
  const [root = '', id = ''] = entity.split('/', 2)
  switch (root) {
    case 'incident':
      return 'the incident'
    case 'hypotheses': {
      const hypothesis = view.hypotheses.get(id)
      return hypothesis && `“${hypothesisTitle(hypothesis)}”`
    }
    case 'tabs':
      return id === 'comments' ? 'the comments' : 'the action plan'
    case 'evidence':
      return view.evidence.some((evidence) => evidence.id === id) ? 'evidence' : undefined
    case 'comments':
      if (id === NEW_COMMENT_ID) return 'a comment'
      return view.comments.some((comment) => comment.id === id) ? 'a comment' : undefined
    default:
      return undefined
  }
}
