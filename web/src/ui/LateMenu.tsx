import { Menu, type MenuProps } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'

/** A menu that loads after its popover has opened. It focuses its first entry itself, because the popover found none. */
export function LateMenu(props: Omit<MenuProps, 'ulRef'>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(
    () =>
      list.current
        ?.querySelector<HTMLElement>('[role="menuitem"]:not([tabindex="-1"])')
        // Without scrolling: it may not be positioned yet.
        ?.focus({ preventScroll: true }),
    [],
  )
  return <Menu {...props} ulRef={list} />
}
