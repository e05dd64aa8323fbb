import './collab.css'
import { Tooltip } from '@blueprintjs/core'
import { CloudTick, CloudUpload, Edit, Offline, WarningSign } from '@blueprintjs/icons'
import type { ReactElement, ReactNode } from 'react'

import type { SaveStatus } from './contract.ts'
import { saveAnnouncement, saveExplanation, saveText } from './saveText.ts'
import { useAnnouncement } from './useAnnouncement.ts'

const ICONS: Record<SaveStatus['state'], ReactElement> = {
  saved: <CloudTick size={14} />,
  received: <CloudUpload size={14} />,
  typed: <Edit size={14} />,
  offline: <Offline size={14} />,
  problem: <WarningSign size={14} />,
}

interface SavePillProps {
  readonly save: SaveStatus
}

/** How far the person's own edits got, in a word and a shape. Belongs where it is visible at every width. */
export function SavePill({ save }: SavePillProps): ReactNode {
  const announcement = useAnnouncement(saveAnnouncement(save))
  return (
    <span className="collab-save-slot">
      <Tooltip compact content={saveExplanation(save)} hoverOpenDelay={300}>
        <button type="button" className="collab-save" data-state={save.state} data-proven={save.isProven}>
          {ICONS[save.state]}
          <span className="collab-save-text">{saveText(save)}</span>
        </button>
      </Tooltip>
      <output className="wr-visually-hidden" aria-live="polite">
        {announcement}
      </output>
    </span>
  )
}
