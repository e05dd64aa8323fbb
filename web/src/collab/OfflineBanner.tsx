import './collab.css'
import { Offline } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import type { IncidentRoom } from './contract.ts'

type OfflineBannerProps = Pick<IncidentRoom, 'isLongOffline' | 'save'>

/** A full-width note that edits stay here for now, shown once the pill alone could be overlooked. */
export function OfflineBanner({ isLongOffline, save }: OfflineBannerProps): ReactNode {
  if (!isLongOffline) return null
  const { unsent, isKept } = save
  return (
    <output className="collab-banner" data-tone="warning">
      <Offline size={16} />
      <span>
        <strong>No connection.</strong> {unsent === 0 ? 'You see the incident as it was. ' : null}
        {toFate(unsent, isKept)}
      </span>
    </output>
  )
}

/** What happens to edits. */
function toFate(unsent: number, isKept: boolean): string {
  const what = unsent === 0 ? 'Your changes' : unsent === 1 ? 'One change' : `${unsent} changes`
  const verb = unsent === 1 ? 'is' : 'are'
  if (!isKept) {
    return `${what} ${verb} on this page only: your browser can’t keep changes. Leave this page open until you’re back online.`
  }
  return unsent === 0
    ? `${what} stay in this browser and are sent when you’re back online.`
    : `${what} ${verb} kept in this browser and sent when you’re back online.`
}
