import { Menu, type MenuProps } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { stepThrough } from '../../../ui/stepThrough.ts'

/**
 * A menu of commands, for a popover that does not take the focus itself. The current entry, otherwise the first, gets the focus at once;
 * arrow keys and Tab wrap around, Home and End go to the ends.
 */
export function ArrowMenu(props: MenuProps) {
  const list = useRef<HTMLUListElement>(null)
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    // The popover is not positioned yet: scrolling to it would move the page.
    const items = itemsOf(list.current)
    const current = items.find((item) => item.hasAttribute('aria-current')) ?? items[0]
    current?.focus({ preventScroll: true })
    return () => {
      // If the chosen command did not take the focus, it returns to where the menu was opened.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }
  }, [opener])

  const handleKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const items = itemsOf(list.current)
    const at = items.findIndex((item) => item === document.activeElement)
    const key = event.key === 'Tab' ? (event.shiftKey ? 'ArrowUp' : 'ArrowDown') : event.key
    const next = stepThrough(key, at, items.length)
    if (next === null) return
    event.preventDefault()
    items[next]?.focus()
  }
  return <Menu {...props} ulRef={list} onKeyDown={handleKeyDown} />
}

/** Including disabled entries: they say why. */
function itemsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
}
