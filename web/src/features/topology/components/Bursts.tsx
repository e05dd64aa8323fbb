import { Cross } from '@blueprintjs/icons'
import { type Burst, type HealthTransition, type ShownComponent, toBursts } from '@watchroom/shared/topology'
import { type ReactNode, useMemo, useState } from 'react'

import { IconButton } from '../../../ui/IconButton.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../topology.module.css'

/** Names that a row says; the incident has all. */
const MAX_NAMES = 5

interface BurstsProps {
  rows: readonly ShownComponent[]
  transitions: readonly HealthTransition[]
  renderMakeIncident: (burst: Burst) => ReactNode
}

/** Where much became different within a minute below one component: one row for all of it. */
export function Bursts({ rows, transitions, renderMakeIncident }: BurstsProps) {
  const bursts = useMemo(() => toBursts(rows, transitions), [rows, transitions])
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const shown = bursts.filter((burst) => !dismissed.has(keyOf(burst)))
  if (shown.length === 0) return null
  return (
    <ul className={styles['bursts']} aria-label="Changes that happened together">
      {shown.map((burst) => {
        const names = [...new Set(burst.transitions.map(({ name }) => name))]
        const last = burst.transitions.at(-1)
        return (
          <li key={burst.id} className={styles['burst']}>
            <span>
              <strong>{`${burst.transitions.length.toLocaleString()} changes under ${burst.name} within a minute`}</strong>
              {': '}
              {names.slice(0, MAX_NAMES).join(', ')}
              {names.length > MAX_NAMES ? ` and ${(names.length - MAX_NAMES).toLocaleString()} more` : ''}
              {last === undefined ? null : (
                <>
                  {' · '}
                  <TimeAgo at={new Date(last.at).toISOString()} />
                </>
              )}
            </span>
            {renderMakeIncident(burst)}
            <IconButton
              size="small"
              icon={<Cross size={12} />}
              label={`Dismiss changes under ${burst.name}`}
              onClick={() => setDismissed(new Set([...dismissed, keyOf(burst)]))}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** One more change is another burst. */
const keyOf = ({ id, transitions }: Burst): string => `${id} ${transitions.length} ${transitions.at(-1)?.at ?? 0}`
