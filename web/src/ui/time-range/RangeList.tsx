/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a field with a grouped list under it (combobox pattern): select and option show no markup */
import { InputGroup } from '@blueprintjs/core'
import { Search, Tick } from '@blueprintjs/icons'
import type { TimeRange } from '@watchroom/shared/time'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

import { useMediaQuery } from '../useMediaQuery.ts'
import { isSameRange, type RangeGroup } from './rangeOptions.ts'

interface RangeListProps {
  groups: readonly RangeGroup[]
  value: TimeRange | undefined
  query: string
  onQuery: (query: string) => void
  onChoose: (range: TimeRange) => void
}

/** A field and the ranges under it: the field keeps the focus, arrow keys move through the list, Enter chooses. */
export function RangeList({ groups, value, query, onQuery, onChoose }: RangeListProps) {
  const listId = useId()
  const options = groups.flatMap((group) => group.options)
  /** Index of each group's first option in the whole list. */
  const starts = groups.map((_, group) =>
    groups.slice(0, group).reduce((sum, before) => sum + before.options.length, 0),
  )
  const chosen = options.findIndex(({ range }) => isSameRange(value, range))
  const [moved, setMoved] = useState<{ query: string; index: number } | null>(null)
  // Typing makes another list, and the place in the old one means nothing there.
  const active = moved?.query === query ? Math.min(moved.index, options.length - 1) : Math.max(chosen, 0)
  const optionId = (index: number): string => `${listId}-${index}`

  const field = useRef<HTMLInputElement>(null)
  // A soft keyboard would cover the list that someone opened to tap on.
  const isTouch = useMediaQuery('(pointer: coarse)')
  useEffect(() => {
    if (!isTouch) field.current?.focus()
  }, [isTouch])
  const activeId = optionId(active)
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const handleKeyDown = (event: KeyboardEvent): void => {
    const next = stepOption(event.key, active, options.length)
    if (next !== null) {
      event.preventDefault()
      setMoved({ query, index: next })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[active]
      if (option) onChoose(option.range)
    }
  }

  return (
    <div className="wr-range-list">
      <InputGroup
        inputRef={field}
        leftIcon={<Search />}
        placeholder="Find a range, or type 45m"
        aria-label="Find a range"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={options.length === 0 ? undefined : activeId}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onValueChange={onQuery}
        onKeyDown={handleKeyDown}
      />
      <div className="wr-range-options" id={listId} role="listbox" aria-label="Ranges" tabIndex={-1}>
        {groups.map(({ title, options: groupOptions }, group) => (
          <div key={title} role="group" aria-label={title} className="wr-range-group">
            <div className="wr-range-group-title" aria-hidden>
              {title}
            </div>
            {groupOptions.map((option, place) => {
              const index = (starts[group] ?? 0) + place
              const isChosen = index === chosen
              return (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and handles the keys (combobox pattern)
                <div
                  key={`${option.label} ${option.hint}`}
                  id={optionId(index)}
                  role="option"
                  aria-selected={isChosen}
                  className={index === active ? 'wr-range-option wr-range-option-active' : 'wr-range-option'}
                  onClick={() => onChoose(option.range)}
                >
                  <span className="wr-range-option-label">{option.label}</span>
                  {isChosen ? <Tick size={14} /> : <code>{option.hint}</code>}
                </div>
              )
            })}
          </div>
        ))}
        {options.length === 0 ? (
          <output className="wr-range-none">
            No matching range. You can also type an amount such as <code>45m</code>, an expression such as{' '}
            <code>now-2d</code> or two times separated by a dash.
          </output>
        ) : null}
      </div>
    </div>
  )
}

/** Where a key leads in a list of `count`; null for keys that are not for moving. Arrows go around the ends. */
function stepOption(key: string, active: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count
    case 'ArrowUp':
      return (active - 1 + count) % count
    case 'PageDown':
      return Math.min(active + PAGE, count - 1)
    case 'PageUp':
      return Math.max(active - PAGE, 0)
    default:
      return null
  }
}

/** Options that a page key skips: about what is in view. */
const PAGE = 8
