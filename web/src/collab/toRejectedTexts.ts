import { type EvidenceView, fieldAt, FIELDS, type IncidentView } from '@watchroom/shared/collab'
import { ownValue } from '@watchroom/shared/kernel'

import type { RejectedText } from './contract.ts'

export type LostText = Pick<RejectedText, 'field' | 'label' | 'text'>

/**
 * The content of the fields that rejected own edits had touched, in words that a person can use again. Must be read before the
 * document is started over.
 *
 * @param fields paths of the touched fields, as the document's events name them
 */
export function toLostTexts(view: IncidentView, fields: readonly string[]): LostText[] {
  const lost = new Map<string, LostText>()
  for (const path of fields) {
    // A new hypothesis comes with its place; its title says enough.
    if (path.startsWith('edges/') && fields.includes(`hypotheses/${path.slice(6).split('>')[0]}`)) continue
    const found = readField(view, path)
    if (found && found.text !== '') lost.set(found.field, found)
  }
  return [...lost.values()]
}

/** The texts that are missing in the server's document. The others had arrived, and only their acknowledgement was lost. */
export function withoutKnown<Text extends LostText>(texts: readonly Text[], server: IncidentView): readonly Text[] {
  const missing = texts.filter(({ field, text }) => readField(server, field)?.text !== text)
  return missing.length === texts.length ? texts : missing
}

/** What people call a field. @param name of the entity it belongs to */
const labelAt = (path: string, name = ''): string => fieldAt(path)?.label.replace('{name}', () => name) ?? path

function readField(view: IncidentView, path: string): LostText | null {
  const [root = '', id = '', key] = path.split('/')
  switch (root) {
    case 'incident': {
      const value = Object.entries(view.incident).find(([name]) => name === id)?.[1]
      return { field: `incident/${id}`, label: labelAt(`incident/${id}`), text: value ?? '' }
    }
    case 'hypotheses':
      return readHypothesis(view, id, key ?? 'title')
    case 'comments': {
      const comment = view.comments.find((entry) => entry.id === id)
      if (!comment) return null
      return key === 'removed'
        ? { field: path, label: 'Removal of a comment', text: comment.removed ? comment.body : '' }
        : { field: `comments/${id}/body`, label: labelAt(`comments/${id}/body`), text: comment.body }
    }
    case 'evidence':
    case 'evidenceOff':
    case 'dod':
      return readEvidence(view, path, root, id)
    case 'edges':
      return readPlace(view, path, id)
    default:
      return null
  }
}

const isOfHypothesis = (key: string): key is keyof typeof FIELDS.hypotheses => Object.hasOwn(FIELDS.hypotheses, key)

function readHypothesis(view: IncidentView, id: string, key: string): LostText | null {
  const hypothesis = view.hypotheses.get(id)
  if (!hypothesis) return null
  const field = `hypotheses/${id}/${key}`
  const label = labelAt(field, hypothesis.title)
  if (isOfHypothesis(key)) return { field, label, text: hypothesis[key] }
  if (key === 'removed')
    return { field, label: 'Removal of a hypothesis', text: hypothesis.removed ? hypothesis.title : '' }
  return null
}

/** Keys of `dod` are `<evidence>:<field>`. */
function readEvidence(view: IncidentView, path: string, root: string, key: string): LostText | null {
  const [id, dodField] = key.split(':')
  const entry = view.evidence.find((candidate) => candidate.id === id)
  if (!entry) return null
  const name = entry.description || entry.type
  if (root === 'evidence') return { field: path, label: 'Evidence', text: name }
  if (root === 'evidenceOff') return { field: path, label: 'Removal of evidence', text: entry.removed ? name : '' }
  const label = labelAt(path, name)
  const toText = ownValue(DOD_TEXTS, dodField ?? '')
  return toText === undefined ? null : { field: path, label, text: toText(entry) }
}

const DOD_TEXTS: { readonly [Key in keyof typeof FIELDS.dod]: (entry: EvidenceView) => string } = {
  member: ({ isDefinitionOfDone }) =>
    isDefinitionOfDone ? 'part of the definition of done' : 'not part of the definition of done',
  script: ({ script }) => script ?? '',
  text: ({ description }) => description,
  done: ({ done }) => (done ? 'done' : 'not done'),
}

/** Keys of `edges` are `<child>><parent>`: a move. */
function readPlace(view: IncidentView, path: string, key: string): LostText | null {
  const [child = '', parent = ''] = key.split('>')
  const moved = view.hypotheses.get(child)
  if (!moved || (moved.parentId ?? '') !== parent) return null
  const below = parent === '' ? 'the top' : `below “${view.hypotheses.get(parent)?.title ?? ''}”`
  return { field: path, label: `Place of “${moved.title}”`, text: below }
}
