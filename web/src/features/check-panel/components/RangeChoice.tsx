import type { TimeRange } from '@watchroom/shared/time'

import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx'

import styles from '../checkPanel.module.css'

interface RangeChoiceProps {
  value: TimeRange
  /** Undefined when the choice was cleared. */
  onChange: (range: TimeRange | undefined) => void
}

/** The time range of figures, chart and history. */
export function RangeChoice({ value, onChange }: RangeChoiceProps) {
  return (
    <div className={styles['range']}>
      <span aria-hidden>Time Range</span>
      <TimeRangePicker label="Time Range" value={value} onChange={onChange} />
    </div>
  )
}
