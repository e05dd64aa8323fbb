import './collab.css'
import type { ReactNode } from 'react'

import { useIncidentPart } from './useIncident.ts'

interface TouchMarkProps {
  /** Path of what it lies over, for example `hypotheses/<id>`. */
  readonly path: string
  /** For a word or two: the name is shown above them. */
  readonly isSmall?: boolean
}

/** Flashes once over what someone else changed, with their name. Covers the positioned element around it. */
export function TouchMark({ path, isSmall = false }: TouchMarkProps): ReactNode {
  const touch = useIncidentPart((room) => room.touched.get(path))
  if (touch === undefined) return null
  const { id, by } = touch
  return (
    <span key={id} className="collab-touch" data-peer-color={by?.color} data-small={isSmall || undefined} aria-hidden>
      <span className="collab-touch-name">{by === null ? 'Just now' : `${by.user.name} · just now`}</span>
    </span>
  )
}
