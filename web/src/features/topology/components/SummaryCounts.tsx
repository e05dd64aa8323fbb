import { Link } from '@tanstack/react-router'
import { type SeverityCount, toSeverityCounts } from '@watchroom/shared/catalog'
import { INCIDENT_SEVERITIES } from '@watchroom/shared/incidents'
import { ownValue } from '@watchroom/shared/kernel'
import { type Component, toMore } from '@watchroom/shared/topology'

import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { SeverityCounts } from '../../../ui/SeverityCounts.tsx'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { toNextSearch } from '../componentLink.ts'
import { useHasSection } from '../componentSections.ts'

import styles from '../topology.module.css'

type Summary = Component['summary']

/** The backend counts partly unhealthy components as warnings, which would not explain the color of a red card. */
function toCounted(summary: Summary): readonly { glyph: GlyphStatus; count: number; word: string }[] {
  const { healthy, unhealthy, warning, mixed, unknown } = { ...summary }
  const [inPart, inFull] = [mixed ?? 0, unhealthy ?? 0]
  const some = (): string => (inFull > 0 ? `, ${inPart.toLocaleString()} of them in part` : ' in part')
  return [
    { glyph: 'unhealthy', count: inFull + inPart, word: `unhealthy${inPart > 0 ? some() : ''}` },
    { glyph: 'warning', count: Math.max(0, (warning ?? 0) - inPart), word: 'with warnings' },
    { glyph: 'healthy', count: healthy ?? 0, word: 'healthy' },
    { glyph: 'unknown', count: unknown ?? 0, word: 'unknown' },
  ]
}

export const hasParts = (component: Component): boolean =>
  component.is_leaf !== true && (component.components?.length ?? 0) + toMore(component) > 0

/** Parts, counted by health. Nothing is drawn where there are none. */
export function SummaryCounts({ summary }: Pick<Component, 'summary'>) {
  const counts = toCounted(summary).filter(({ count }) => count > 0)
  const infos = summary?.info ?? 0
  if (counts.length === 0 && infos === 0) return null
  return (
    <span className={styles['counts']}>
      {counts.map(({ glyph, word, count }) => (
        <span key={glyph} title={`${count} ${word}`}>
          <StatusGlyph status={glyph} word={`${count} ${word}`} isWordHidden />
          <span aria-hidden>{count}</span>
        </span>
      ))}
      {infos > 0 ? <span className="wr-muted">{`${infos.toLocaleString()} info`}</span> : null}
    </span>
  )
}

/** Of all that is open the worst is shown. */
const WORST_FIRST = INCIDENT_SEVERITIES.toReversed()

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

const total = (counts: Readonly<Record<string, Readonly<Record<string, number>>>> | null | undefined): number =>
  sum(Object.values(counts ?? {}).flatMap((bySeverity) => Object.values(bySeverity)))

/** Open incidents of a component and all that is below it. Another backend counts their evidence. */
export const countOpenIncidents = ({ summary }: Pick<Component, 'summary'>): number =>
  summary?.open_incidents ?? total(summary?.incidents)

/** Open incidents, checks and insights of a card and all that is below it. The incidents lead to the section of its page. */
export function RecordCounts({ component }: { component: Component }) {
  const { summary } = component
  const hasIncidents = useHasSection('incidents')
  const checks = toChecksText(summary?.checks ?? {})
  const [incidents, insights] = [countOpenIncidents(component), countInsights(component)]
  const ofIncidents = (
    <>
      <SeverityBars severity={worstSeverity(summary?.incidents)} />
      {count(incidents, 'open incident', 'open incidents')}
    </>
  )
  if (checks === '' && insights === 0 && incidents === 0) return null
  return (
    <ul className={styles['records']} {...(hasParts(component) ? { title: 'Its parts are counted, too' } : {})}>
      {incidents === 0 ? null : (
        <li className={styles['incidents']}>
          {hasIncidents ? (
            <Link
              to="/topology/$id"
              params={{ id: component.id }}
              search={(now) => ({ ...toNextSearch(now), panel: 'incidents' })}
            >
              {ofIncidents}
            </Link>
          ) : (
            ofIncidents
          )}
        </li>
      )}
      {checks === '' ? null : <li>{checks}</li>}
      {insights === 0 ? null : (
        <li className={styles['insights']}>
          {count(insights, 'insight', 'insights')}
          <SeverityCounts counts={countInsightSeverities(component)} />
        </li>
      )}
    </ul>
  )
}

/** How many of `all` belong to the component's parts. Undefined where it is not known how many are its own. */
export function toPartsNote(component: Component, all: number, own: number | undefined): string | undefined {
  const ofParts = own !== undefined && hasParts(component) ? all - own : 0
  return ofParts > 0 ? `${ofParts.toLocaleString()} in its parts` : undefined
}

export const countChecks = ({ summary }: Pick<Component, 'summary'>): number =>
  sum(Object.values(summary?.checks ?? {}))

export const countInsights = ({ summary }: Pick<Component, 'summary'>): number => total(summary?.insights)

/** Open insights of a component and all that is below it, for chips. */
export const countInsightSeverities = ({ summary }: Pick<Component, 'summary'>): readonly SeverityCount[] =>
  toSeverityCounts(Object.values(summary?.insights ?? {}).flatMap((bySeverity) => Object.entries(bySeverity)))

/** How many there are, and how many of them are bad. */
export function toChecksText(checks: Readonly<Record<string, number>>): string {
  const all = sum(Object.values(checks))
  if (all === 0) return ''
  const bad = (['unhealthy', 'warning'] as const).flatMap((word) => {
    const amount = ownValue(checks, word) ?? 0
    return amount > 0 ? [`${amount.toLocaleString()} ${word}`] : []
  })
  return [count(all, 'check', 'checks'), ...bad].join(', ')
}

const count = (amount: number, one: string, many: string): string =>
  `${amount.toLocaleString()} ${amount === 1 ? one : many}`

function worstSeverity(incidents: NonNullable<Component['summary']>['incidents']): string {
  const counted = Object.values(incidents ?? {}).flatMap((bySeverity) =>
    Object.entries(bySeverity).flatMap(([severity, amount]) => (amount > 0 ? [severity.toLowerCase()] : [])),
  )
  return WORST_FIRST.find((severity) => counted.includes(severity)) ?? counted[0] ?? 'unknown'
}
