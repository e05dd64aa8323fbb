import { Menu, type MenuProps } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'

/** A menu that is loaded after the popover it stands in, which found nothing to focus. */
export function LateMenu(props: Omit<MenuProps, 'ulRef'>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(
    () =>
      list.current
        ?.querySelector<HTMLElement>('[role="menuitem"]:not([tabindex="-1"])')
        // Not scrolled to: it may have no place yet.
        ?.focus({ preventScroll: true }),
    [],
  )
  return <Menu {...props} ulRef={list} />
}
