import { Button, PopoverNext, PopupKind } from '@blueprintjs/core'
import { CaretDown, Time } from '@blueprintjs/icons'
import { formatMoments, type TimeRange } from '@watchroom/shared/time'
import { Suspense, useRef, useState } from 'react'

import { useTimeZone } from '../../preferences/timeZone.ts'
import { lazyPart } from '../lazyPart.tsx'
import type { RangePresets } from './rangeOptions.ts'

// Opened by few page views: not part of the first load.
const TimeRangePanel = lazyPart(async () => (await import('./TimeRangePanel.tsx')).TimeRangePanel)

/** As much as time-range.css leaves at each end of the window. */
const WINDOW_MARGIN_PX = 12

export interface TimeRangePickerProps {
  value: TimeRange | undefined
  /** A range was chosen; undefined when it was cleared. */
  onChange: (range: TimeRange | undefined) => void
  disabled?: boolean
  /** Which way the presets reach; quick ranges come with the past. */
  presets?: RangePresets
  /** What the range is of, for the accessible name. */
  label?: string
  /** Shown while no range is set. */
  placeholder?: string
}

/** Time range picker of the first specification, section 2: a button that says the range and opens the choice. */
export function TimeRangePicker({
  value,
  onChange,
  disabled = false,
  presets = 'past',
  label = 'Time range',
  placeholder = 'Any time',
}: TimeRangePickerProps) {
  const [isOpen, setOpen] = useState(false)
  const zone = useTimeZone()
  const text = value === undefined ? placeholder : toRangeLabel(value, zone)
  const handleChange = (range: TimeRange | undefined): void => {
    setOpen(false)
    onChange(range)
  }
  const button = useRef<HTMLButtonElement>(null)
  // Blueprint would give the focus back to what had it last, and once the panel is loaded that is the panel's own field.
  const handleClosed = (popover: HTMLElement): void => {
    const focused = document.activeElement
    if (focused === null || focused === document.body || popover.contains(focused)) button.current?.focus()
  }
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setOpen}
      disabled={disabled}
      placement="bottom-start"
      arrow={false}
      animation="minimal"
      // Over its own button rather than out of the window, where neither above nor below has room for it.
      middleware={{ shift: { crossAxis: true, padding: WINDOW_MARGIN_PX } }}
      popupKind={PopupKind.DIALOG}
      shouldReturnFocusOnClose={false}
      onClosed={handleClosed}
      content={
        <Suspense fallback={<div className="wr-range-loading" aria-busy />}>
          <TimeRangePanel label={label} value={value} presets={presets} onChange={handleChange} />
        </Suspense>
      }
    >
      <Button
        ref={button}
        icon={<Time />}
        endIcon={<CaretDown />}
        text={text}
        disabled={disabled}
        aria-label={`${label}: ${text}`}
        aria-expanded={isOpen}
      />
    </PopoverNext>
  )
}

/** What a range is called. */
export function toRangeLabel(range: TimeRange, zone: string): string {
  if (range.rangeType !== 'absolute') return range.display
  const moments = formatMoments({ from: Date.parse(range.from), to: Date.parse(range.to) }, zone)
  return zone === 'UTC' ? `${moments} UTC` : moments
}
