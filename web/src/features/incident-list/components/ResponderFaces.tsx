import '../../../collab/collab.css'
import type { Face } from '@watchroom/shared/incidents'

import { peerColor } from '../../../collab/peerColor.ts'
import { HoverCard } from '../../../ui/HoverCard.tsx'
import { DASH } from '../../../ui/table/Cell.tsx'
import { toInitials } from '../../../ui/toInitials.ts'

import styles from '../incidentList.module.css'

/** Faces in a row of the list (second specification, section 9). */
const MAX_SHOWN = 5

/** Who was called in: the first five, and how many more. */
export function ResponderFaces({ responders }: { responders: readonly Face[] }) {
  if (responders.length === 0) return DASH
  const shown = responders.slice(0, MAX_SHOWN)
  const others = responders.slice(MAX_SHOWN)
  const names = responders.map(toName)
  return (
    <HoverCard
      opensOnClick
      content={
        <ul className={styles['facesNames']} aria-label="Responders">
          {responders.map((face) => (
            <li key={face.id}>{toName(face)}</li>
          ))}
        </ul>
      }
    >
      <button type="button" className={styles['faces']} aria-label={`Responders: ${names.join(', ')}`}>
        {shown.map((face) => (
          <FaceOf key={face.id} face={face} />
        ))}
        {others.length > 0 ? (
          <span className={`${styles['face']} ${styles['facesMore']}`} data-letters={`+${others.length}`} aria-hidden />
        ) : null}
      </button>
    </HoverCard>
  )
}

/** The style sheet draws the letters, so that they are not part of the button's name. */
function FaceOf({ face }: { face: Face }) {
  const { avatar } = face
  const color = { 'data-peer-color': peerColor(face.id), 'aria-hidden': true }
  return isPicture(avatar) ? (
    <span className={styles['face']} {...color}>
      <img src={avatar} alt="" loading="lazy" />
    </span>
  ) : (
    <span className={styles['face']} {...color} data-letters={toInitials(toName(face))} />
  )
}

const toName = ({ name }: Face): string => name || 'Unknown'

/** For teams, it is the name of an icon. */
const isPicture = (avatar: string | null): avatar is string =>
  avatar !== null && /^(?:https?:|data:image\/|\/)/.test(avatar)
