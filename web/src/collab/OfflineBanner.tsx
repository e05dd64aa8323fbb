import './collab.css'
import { Offline } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import type { IncidentRoom } from './contract.ts'

type OfflineBannerProps = Pick<IncidentRoom, 'isLongOffline' | 'save'>

/** Says at full width that edits stay here for now, once a pill alone could be overlooked. */
export function OfflineBanner({ isLongOffline, save }: OfflineBannerProps): ReactNode {
  if (!isLongOffline) return null
  const { unsent } = save
  return (
    <output className="collab-banner" data-tone="warning">
      <Offline size={16} />
      <span>
        <strong>No connection.</strong>{' '}
        {unsent === 0
          ? 'You see the incident as it was. Your changes stay in this browser and are sent when you’re back online.'
          : `${unsent === 1 ? 'One change is' : `${unsent} changes are`} kept in this browser and sent when you’re back online.`}
      </span>
    </output>
  )
}
