import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { type ReactNode, useId } from 'react'

import type { RoomPanel } from '../search.ts'

import styles from '../incidentRoom.module.css'

interface Section {
  readonly key: Exclude<RoomPanel, 'none'>
  readonly title: string
  readonly content: ReactNode
}

interface SidePanelProps {
  readonly sections: readonly Section[]
  readonly open: RoomPanel
  readonly onOpen: (panel: RoomPanel) => void
}

/** Sections of which one is open at a time. */
export function SidePanel({ sections, open, onOpen }: SidePanelProps) {
  const id = useId()
  return (
    <aside className={styles['side']} aria-label="About the incident">
      {sections.map(({ key, title, content }) => {
        const isOpen = key === open
        return (
          <section key={key} className={styles['section']}>
            <h2>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? `${id}-${key}` : undefined}
                onClick={() => onOpen(isOpen ? 'none' : key)}
              >
                {isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />} {title}
              </button>
            </h2>
            {isOpen ? (
              <div id={`${id}-${key}`} className={styles['sectionBody']}>
                {content}
              </div>
            ) : null}
          </section>
        )
      })}
    </aside>
  )
}
