import type { ComponentProps, ReactNode } from 'react'

import styles from './ScrollRegion.module.css'

interface ScrollRegionProps extends Omit<ComponentProps<'section'>, 'aria-label' | 'tabIndex'> {
  /** What is in it, for screen readers. */
  label: string
  children: ReactNode
}

/** A part of the page that scrolls by itself, reachable by keyboard as every such part must be. */
export function ScrollRegion({ label, className = '', children, ...section }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section {...section} className={`${styles['region']} ${className}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
