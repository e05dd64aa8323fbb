import './collab.css'
import { Tooltip } from '@blueprintjs/core'
import { CloudTick, CloudUpload, Edit, Offline, WarningSign } from '@blueprintjs/icons'
import type { ReactElement, ReactNode } from 'react'

import { formatStopwatch, formatTimeOfDay } from '../live/freshnessText.ts'
import { useTimeZone } from '../preferences/timeZone.ts'
import { useScreenClock, useServerNow } from '../ui/clock.tsx'
import type { SaveProblem, SaveStatus } from './contract.ts'
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
  /** False for people who only read: they have nothing to save. */
  readonly canWrite: boolean
  /** When the last message arrived on a link that is not proven alive, in wall-clock milliseconds; null while it is, and before the first. */
  readonly heardAt: number | null
  /** What people call the row of a problem; undefined when it is gone. */
  readonly nameOf?: (problem: SaveProblem) => string | undefined
}

const UNNAMED = (): undefined => undefined

/** How far the person's own edits got, as a word and a shape. Place it where it is visible at every width. */
export function SavePill({ save, canWrite, heardAt, nameOf = UNNAMED }: SavePillProps): ReactNode {
  const isLive = !canWrite && save.state === 'saved' && save.isProven
  const down = useDown(heardAt)
  const zone = useTimeZone()
  const announcement = useAnnouncement(isLive ? 'Live' : saveAnnouncement(save))
  return (
    <span className="collab-save-slot">
      <Tooltip
        compact
        content={
          isLive
            ? 'You see the incident as it is now.'
            : saveExplanation(save, { heardAt: heardAt === null ? null : formatTimeOfDay(heardAt, zone), nameOf })
        }
        hoverOpenDelay={300}
      >
        <button type="button" className="collab-save" data-state={save.state} data-proven={save.isProven}>
          {ICONS[save.state]}
          <span className="collab-save-text">{isLive ? 'Live' : saveText(save, down)}</span>
        </button>
      </Tooltip>
      <output className="wr-visually-hidden" aria-live="polite">
        {announcement}
      </output>
    </span>
  )
}

/** People read seconds. */
const TICK_MS = 1_000

/** `00:12` since the last message on the link; empty while it is alive. */
function useDown(heardAt: number | null): string {
  const { clock } = useScreenClock()
  // Only for its ticks: `heardAt` is by the clock of this machine.
  useServerNow(heardAt === null ? undefined : TICK_MS)
  return heardAt === null ? '' : formatStopwatch(clock.now() - heardAt)
}
