import { ownValue } from '@watchroom/shared/kernel'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'

import type { BoardTab } from '../board/arrangeBoard.ts'

import styles from '../healthBoard.module.css'

/** Nobody scrolls through more tabs than this; the rest is in a menu. */
const MAX_TABS = 60

interface TabItem {
  readonly value: string
  readonly title: string
  readonly shown: number
}

/** `All` first, then the others by title. */
export function toTabItems(tabs: readonly BoardTab[], names: ReadonlyMap<string, string>): TabItem[] {
  const items = tabs
    .map(({ value, shown }) => ({ value, title: names.get(value) ?? value, shown }))
    .toSorted((a, b) => a.title.localeCompare(b.title) || (a.value < b.value ? -1 : 1))
  const all = tabs.reduce((sum, { shown }) => sum + shown, 0)
  return [{ value: '', title: 'All', shown: all }, ...items]
}

interface BoardTabsProps {
  items: readonly TabItem[]
  /** Empty for all. */
  chosen: string
  /** Id of the region that the tabs switch. */
  panelId: string
  onChoose: (value: string) => void
}

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => (index === last ? 0 : index + 1),
  ArrowLeft: (index, last) => (index === 0 ? last : index - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Values may contain spaces, which separate ids in `aria-labelledby`. */
export const toTabId = (panelId: string, value: string): string => `${panelId}-tab-${encodeURIComponent(value)}`

function BoardTabsView({ items, chosen, panelId, onChoose }: BoardTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const chosenTab = useRef<HTMLButtonElement>(null)
  const shownTab = useRef('')
  useEffect(() => {
    if (shownTab.current === chosen) return
    shownTab.current = chosen
    const [tab, scroller] = [chosenTab.current, list.current]
    if (tab === null || scroller === null) return
    // Not `scrollIntoView`: that would move the page as well.
    const end = tab.offsetLeft + tab.offsetWidth
    if (tab.offsetLeft < scroller.scrollLeft) scroller.scrollLeft = tab.offsetLeft
    else if (end > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = end - scroller.clientWidth
  }, [chosen])

  const visible = items.slice(0, MAX_TABS + 1)
  const rest = items.slice(MAX_TABS + 1)
  const chosenInRest = rest.find(({ value }) => value === chosen)
  const tabs = chosenInRest === undefined ? visible : [...visible, chosenInRest]

  function handleKeyDown(event: KeyboardEvent): void {
    const step = ownValue(STEPS, event.key)
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const index = tabs.findIndex(({ value }) => value === chosen)
    const next = tabs[step(Math.max(0, index), tabs.length - 1)]
    if (next === undefined) return
    onChoose(next.value)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(toTabId(panelId, next.value))}`)?.focus()
  }

  return (
    <div className={styles['tabs']}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs inside take the focus */}
      <div role="tablist" aria-label="Tabs" ref={list} onKeyDown={handleKeyDown}>
        {tabs.map(({ value, title, shown }) => {
          const isChosen = value === chosen
          return (
            <button
              key={value}
              type="button"
              role="tab"
              id={toTabId(panelId, value)}
              aria-selected={isChosen}
              aria-controls={panelId}
              tabIndex={isChosen ? 0 : -1}
              ref={isChosen ? chosenTab : null}
              data-empty={shown === 0 || undefined}
              onClick={() => onChoose(value)}
            >
              {title}
              <span className={styles['tabCount']}>{shown}</span>
            </button>
          )
        })}
      </div>
      {rest.length > 0 ? (
        <select
          aria-label="More tabs"
          className={styles['moreTabs']}
          value=""
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">{rest.length} more</option>
          {rest.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      ) : null}
    </div>
  )
}

/**
 * One tab stop; arrow keys move and activate. Scrolls sideways if there is no room.
 * Follows the numbers, not every change of a check.
 */
export const BoardTabs = memo(BoardTabsView)
