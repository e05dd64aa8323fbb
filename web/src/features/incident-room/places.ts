import type { IncidentView } from '@watchroom/shared/collab'

/** What an entity of the document is called; undefined when it is gone. */
export function nameOfPlace(view: IncidentView, entity: string): string | undefined {
  const [root = '', id = ''] = entity.split('/', 2)
  switch (root) {
    case 'incident':
      return 'the incident'
    case 'hypotheses': {
      const hypothesis = view.hypotheses.get(id)
      return hypothesis && `“${hypothesis.title || 'Untitled'}”`
    }
    case 'comments':
      return view.comments.some((comment) => comment.id === id) ? 'a comment' : undefined
    default:
      return undefined
  }
}
