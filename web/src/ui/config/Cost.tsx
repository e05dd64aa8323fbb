import { TrendingDown, TrendingUp } from '@blueprintjs/icons'
import { type Config, costTrend, formatCost } from '@watchroom/shared/catalog'

import { DASH } from '../table/Cell.tsx'

import styles from './config.module.css'

type Costs = Pick<Config, 'cost_total_1d' | 'cost_total_30d'>

interface CostProps {
  /** Dollars. */
  value: number | null | undefined
  /** Costs of an item, to show whether today differs from usual. */
  costs?: Costs
}

/** What something costs, with a badge where today differs from the daily average of 30 days by more than a tenth. */
export function Cost({ value, costs }: CostProps) {
  if (value === null || value === undefined) return DASH
  const trend = costs === undefined ? null : costTrend(costs)
  return (
    <span className={styles['cost']}>
      {formatCost(value)}
      {trend === null ? null : <Trend trend={trend} />}
    </span>
  )
}

function Trend({ trend }: { trend: number }) {
  const percent = `${Math.round(Math.abs(trend) * 100).toLocaleString()}%`
  const text = `Today ${percent} ${trend > 0 ? 'above' : 'below'} the daily average of 30 days`
  return (
    <span className={styles['trend']} title={text}>
      {trend > 0 ? <TrendingUp size={12} aria-hidden /> : <TrendingDown size={12} aria-hidden />}
      <span aria-hidden>{percent}</span>
      <span className="wr-visually-hidden">{text}</span>
    </span>
  )
}
