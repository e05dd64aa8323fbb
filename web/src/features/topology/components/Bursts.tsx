import { Cross } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import {
  type Burst,
  type HealthTransition,
  type ShownComponent,
  toBursts,
  toSpanText,
} from '@watchroom/shared/topology'
import { atom, useAtom } from 'jotai'
import { type ReactNode, useMemo } from 'react'

import { useThrottled } from '../../../live/useOnBurst.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useDebounced, useScreenClock, useServerNow } from '../../../ui/clock.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { burstsQuery } from '../queries.ts'
import { NEWS_MS } from '../useTransitions.ts'

import styles from '../topology.module.css'

/** Names that a row says; the incident has all. */
const MAX_NAMES = 5
/** When a burst was dismissed, by its ID: what is recorded comes again with each visit of a page. */
const dismissedAtom = atom<ReadonlyMap<string, number>>(new Map())

interface BurstsProps {
  /** The component of the page; empty for those at the top. */
  id: string
  isHiddenShown: boolean
  rows: readonly ShownComponent[]
  transitions: readonly HealthTransition[]
  renderMakeIncident: (burst: Burst) => ReactNode
}

/** Many changes within a minute below one component, as a single row. */
export function Bursts({ id, isHiddenShown, rows, transitions, renderMakeIncident }: BurstsProps) {
  const { serverNow } = useScreenClock()
  const seen = useMemo(() => toBursts(rows, transitions), [rows, transitions])
  const recorded = useRecordedBursts(id, isHiddenShown, transitions)
  const bursts = useMemo(() => chooseFuller(recorded, seen), [recorded, seen])
  const [dismissed, setDismissed] = useAtom(dismissedAtom)
  const now = useServerNow()
  // One more change is another burst.
  const shown = bursts.filter(({ id: burstId, transitions: parts }) => {
    const last = parts.at(-1)?.at ?? 0
    return last > now - NEWS_MS && last > (dismissed.get(burstId) ?? -Infinity)
  })
  if (shown.length === 0) return null
  return (
    <ul className={styles['bursts']} aria-label="Changes that happened together">
      {shown.map((burst) => {
        const names = [...new Set(burst.transitions.map(({ name }) => name))]
        const last = burst.transitions.at(-1)
        return (
          <li key={burst.id} className={styles['burst']}>
            <span>
              <strong>{`${burst.transitions.length.toLocaleString()} changes under ${burst.name} ${toSpanText(burst)}`}</strong>
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
              onClick={() => setDismissed(new Map([...dismissed, [burst.id, serverNow()]]))}
            />
          </li>
        )
      })}
    </ul>
  )
}

const NONE: readonly Burst[] = []
/** The recording lags a moment behind what the page shows. */
const RECORDED_MS = 1_500
/** Many look on while much happens. */
const CALM_MS = 5_000

/** What was recorded on all levels, also before the page was opened; asked for again while the page sees something happen. */
function useRecordedBursts(
  id: string,
  isHiddenShown: boolean,
  transitions: readonly HealthTransition[],
): readonly Burst[] {
  const query = useQuery(burstsQuery(id, isHiddenShown))
  const settled = useDebounced(transitions, RECORDED_MS)
  const ask = useThrottled(() => void query.refetch(), CALM_MS)
  useOnChange([transitions, settled], ask)
  return query.data?.bursts ?? NONE
}

/** A page sees only three levels, and nothing from before it was opened; the recording lags a moment behind. */
function chooseFuller(recorded: readonly Burst[], seen: readonly Burst[]): Burst[] {
  const chosen = new Map(seen.map((burst) => [burst.id, burst]))
  for (const burst of recorded) {
    if (burst.transitions.length >= (chosen.get(burst.id)?.transitions.length ?? 0)) chosen.set(burst.id, burst)
  }
  return [...chosen.values()]
}
