import './collab.css'
import { WarningSign } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { useIncidentPart } from './useIncident.ts'

interface NotSavedProps {
  /** Table and id of the row. */
  readonly entity: 'incidents' | 'hypotheses' | 'comments' | 'evidences'
  readonly id: string
}

/** Why a part of the incident could not be saved to its records, shown at that part. Nothing while it is saved or will be. */
export function NotSaved({ entity, id }: NotSavedProps): ReactNode {
  const message = useIncidentPart(
    ({ save }) => save.problems.find((problem) => problem.entity === entity && problem.id === id)?.message,
  )
  if (message === undefined) return null
  return (
    <p className="collab-not-saved">
      <WarningSign size={14} />
      <span>Not saved: {message}</span>
    </p>
  )
}
