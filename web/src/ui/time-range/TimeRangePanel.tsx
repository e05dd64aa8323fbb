import { Button } from '@blueprintjs/core'
import { Clipboard, Duplicate } from '@blueprintjs/icons'
import { type TimeRange, toRangeExpressions, tryParseTimeRangeText } from '@watchroom/shared/time'
import { useAtom } from 'jotai'
import { type ClipboardEvent, useMemo, useState } from 'react'

import { timeZoneAtom } from '../../preferences/timeZone.ts'
import { useServerNow } from '../clock.tsx'
import { copyText } from '../copyToClipboard.ts'
import { AbsoluteRangeForm } from './AbsoluteRangeForm.tsx'
import { RangeList } from './RangeList.tsx'
import { type RangePresets, toRangeGroups } from './rangeOptions.ts'
import { useRecentRanges } from './recentRanges.ts'

import './time-range.css'

/** JSON, or a dash or `to` between two moments. */
const TWO_ENDS = /^\s*\{|[–—]|\s(?:-|to)\s/

export interface TimeRangePanelProps {
  /** Accessible name. */
  label: string
  value: TimeRange | undefined
  presets: RangePresets
  /** A range was chosen, or with undefined cleared. */
  onChange: (range: TimeRange | undefined) => void
}

/** What the picker shows when it is open. */
export function TimeRangePanel({ label, value, presets, onChange }: TimeRangePanelProps) {
  const [zone, setZone] = useAtom(timeZoneAtom)
  const [recent, remember] = useRecentRanges()
  const [query, setQuery] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const now = useServerNow()
  const groups = useMemo(
    () => toRangeGroups({ presets, recent, query, now, zone }),
    [presets, recent, query, now, zone],
  )

  const choose = (range: TimeRange): void => {
    if (range.rangeType === 'absolute') remember(range)
    onChange(range)
  }
  const pasteText = (text: string): void => {
    const pasted = tryParseTimeRangeText(text, { now, zone })
    if (pasted.ok) choose(pasted.value)
    else setRefusal(pasted.error)
  }
  const handlePasteButton = async (): Promise<void> => {
    // Absent outside secure contexts, and in some browsers.
    const clipboard = (navigator as Partial<Navigator>).clipboard
    try {
      if (clipboard === undefined) throw new Error('no clipboard')
      pasteText(await clipboard.readText())
    } catch {
      // Refused by the browser or by the person: the keys work without a permission.
      setRefusal('The browser doesn’t let this page read the clipboard. Press Ctrl+V here instead.')
    }
  }
  const handlePasteKeys = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    // One moment belongs to the field it is pasted into; two fit in none.
    if (event.target instanceof HTMLInputElement && !TWO_ENDS.test(text)) return
    event.preventDefault()
    pasteText(text)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the popover owns opening, closing and focus; a dialog tag brings its own
    <div className="wr-range-panel" role="dialog" aria-label={label} onPaste={handlePasteKeys}>
      <RangeList groups={groups} value={value} query={query} onQuery={setQuery} onChoose={choose} />
      <div className="wr-range-side">
        <AbsoluteRangeForm
          value={value}
          now={now}
          zone={zone}
          onZone={setZone}
          onSubmit={choose}
          onClear={() => onChange(undefined)}
        />
        <div className="wr-range-clipboard">
          <Button
            variant="minimal"
            size="small"
            icon={<Duplicate />}
            text="Copy range"
            disabled={value === undefined}
            onClick={() => value && void copyText(JSON.stringify(toRangeExpressions(value)))}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Clipboard />}
            text="Paste range"
            onClick={() => void handlePasteButton()}
          />
        </div>
        {refusal === null ? null : (
          <p className="wr-range-refusal" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </div>
  )
}
