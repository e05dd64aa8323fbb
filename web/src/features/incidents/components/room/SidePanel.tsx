import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'

interface Section {
  readonly key: string
  readonly title: string
  readonly content: ReactNode
}

/** Sections of which one is open at a time, the first one at the start. */
export function SidePanel({ sections }: { sections: readonly Section[] }) {
  const [openKey, setOpenKey] = useState<string | null>(sections[0]?.key ?? null)
  const id = useId()
  return (
    <aside className="room-side" aria-label="About the incident">
      {sections.map(({ key, title, content }) => {
        const isOpen = key === openKey
        return (
          <section key={key} className="room-section">
            <h2>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? `${id}-${key}` : undefined}
                onClick={() => setOpenKey(isOpen ? null : key)}
              >
                {isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />} {title}
              </button>
            </h2>
            {isOpen ? (
              <div id={`${id}-${key}`} className="room-section-body">
                {content}
              </div>
            ) : null}
          </section>
        )
      })}
    </aside>
  )
}
