import { HTMLSelect } from '@blueprintjs/core'
import { RANGE_KEYS, rangeOfKey, type TimeRange } from '@watchroom/shared/time'
import { useId } from 'react'

interface RangeChoiceProps {
  value: TimeRange
  onChange: (range: TimeRange) => void
}

export function RangeChoice({ value, onChange }: RangeChoiceProps) {
  const id = useId()
  const current = RANGE_KEYS.find((key) => rangeOfKey(key).display === value.display)
  return (
    <div className="check-range">
      <label htmlFor={id}>Time Range</label>
      <HTMLSelect
        id={id}
        value={current ?? ''}
        options={[
          ...(current === undefined ? [{ value: '', label: value.display }] : []),
          ...RANGE_KEYS.map((key) => ({ value: key, label: rangeOfKey(key).display })),
        ]}
        onChange={({ currentTarget }) => {
          const key = RANGE_KEYS.find((known) => known === currentTarget.value)
          if (key !== undefined) onChange(rangeOfKey(key))
        }}
      />
    </div>
  )
}
