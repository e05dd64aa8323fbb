import {
  DataConnection,
  Dollar,
  Endorsed,
  InfoSign,
  Lightbulb,
  Pulse,
  Shield,
  type SVGIconProps,
  TickCircle,
  Time,
  Wrench,
} from '@blueprintjs/icons'
import { ANALYSIS_TYPES, type AnalysisType, toAnalysisType } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'
import type { ComponentType } from 'react'

import { formatFigure } from '../formatFigure.ts'
import { DASH } from '../table/Cell.tsx'
import { Count } from './Count.tsx'

import styles from './config.module.css'

const ICONS: Readonly<Record<AnalysisType, ComponentType<SVGIconProps>>> = {
  cost: Dollar,
  availability: TickCircle,
  performance: Time,
  security: Shield,
  integration: DataConnection,
  compliance: Endorsed,
  technical_debt: Wrench,
  reliability: Pulse,
  recommendation: Lightbulb,
  other: InfoSign,
}

/** Icon of what an insight is about; the word is written beside it. */
export function AnalysisTypeIcon({ type }: { type: string | null | undefined }) {
  const Icon = ICONS[toAnalysisType(type)]
  return <Icon size={12} className="wr-type-icon" aria-hidden />
}

/** Counts of insights by what they are about, for a group or one item. */
export function InsightCounts({ counts }: { counts: Readonly<Record<string, number>> | null | undefined }) {
  const totals = new Map<AnalysisType, number>()
  for (const [word, count] of Object.entries(counts ?? {})) {
    const type = toAnalysisType(word)
    totals.set(type, (totals.get(type) ?? 0) + count)
  }
  const parts = ANALYSIS_TYPES.flatMap((type) => {
    const count = totals.get(type) ?? 0
    return count > 0 ? [{ type, count }] : []
  })
  if (parts.length === 0) return DASH
  return (
    <span className={styles['insights']}>
      {parts.map(({ type, count }) => (
        <span key={type} className={styles['insight']} title={`${toLabel(type)}: ${formatFigure(count)}`}>
          <AnalysisTypeIcon type={type} />
          <span className="wr-visually-hidden">{toLabel(type)} </span>
          <Count count={count} />
        </span>
      ))}
    </span>
  )
}

/** Counts the insights of one item by what they are about. */
export function countByType(
  insights: readonly { readonly analysis_type?: string | null | undefined }[] | null | undefined,
): Record<string, number> {
  const counts = new Map<AnalysisType, number>()
  for (const { analysis_type: word } of insights ?? []) {
    const type = toAnalysisType(word)
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
