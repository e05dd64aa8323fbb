import { type ReactNode, useEffect, useRef } from 'react'

import styles from './LinkTabs.module.css'

interface LinkTabsProps {
  /** For screen readers. */
  label: string
  /** Links; that of the open page has `aria-current`. */
  children: ReactNode
}

/** Tabs that are pages, each with its own URL. */
export function LinkTabs({ label, children }: LinkTabsProps) {
  const list = useRef<HTMLElement>(null)
  // On a phone the open tab may be beyond the edge. Not `scrollIntoView`: that would move the page as well.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!open || list.current === null) return
    const end = open.offsetLeft - list.current.offsetLeft + open.offsetWidth
    if (end > list.current.clientWidth) list.current.scrollLeft = end - list.current.clientWidth
  }, [])
  return (
    <nav ref={list} className={styles['tabs']} aria-label={label}>
      {children}
    </nav>
  )
}
