import '../../../../collab/collab.css'
import type { Face } from '@watchroom/shared/incidents'

import { peerColor } from '../../../../collab/peerColor.ts'
import { HoverCard } from '../../../../ui/HoverCard.tsx'

/** Faces in a row of the list (second specification, section 9). */
const MAX_SHOWN = 5

/** Who was called in: the first five, and how many more. */
export function ResponderFaces({ responders }: { responders: readonly Face[] }) {
  if (responders.length === 0) return <span className="wr-muted">–</span>
  const shown = responders.slice(0, MAX_SHOWN)
  const others = responders.slice(MAX_SHOWN)
  const names = responders.map(toName)
  return (
    <HoverCard
      opensOnClick
      content={
        <ul className="incident-faces-names" aria-label="Responders">
          {responders.map((face) => (
            <li key={face.id}>{toName(face)}</li>
          ))}
        </ul>
      }
    >
      <button type="button" className="incident-faces" aria-label={`Responders: ${names.join(', ')}`}>
        {shown.map((face) => (
          <span key={face.id} className="incident-face" data-peer-color={peerColor(face.id)} aria-hidden>
            {isPicture(face.avatar) ? <img src={face.avatar} alt="" loading="lazy" /> : toInitials(toName(face))}
          </span>
        ))}
        {others.length > 0 ? (
          <span className="incident-face incident-faces-more" aria-hidden>
            +{others.length}
          </span>
        ) : null}
      </button>
    </HoverCard>
  )
}

const toName = ({ name }: Face): string => name || 'Unknown'

/** Teams have the name of an icon there. */
const isPicture = (avatar: string | null): avatar is string =>
  avatar !== null && /^(?:https?:|data:image\/|\/)/.test(avatar)

function toInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map(toCapital).join('')
}

/** The first character, not the first half of one. */
function toCapital(word = ''): string {
  return word.slice(0, (word.codePointAt(0) ?? 0) > 0xff_ff ? 2 : 1).toUpperCase()
}
