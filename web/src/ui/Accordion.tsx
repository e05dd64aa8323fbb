import { ChevronRight } from '@blueprintjs/icons'
import { createContext, type KeyboardEvent, type ReactNode, useContext, useId, useMemo } from 'react'

import { stepThrough } from './stepThrough.ts'

import styles from './Accordion.module.css'

interface AccordionState {
  /** Name of the section that is open. */
  readonly open: string
  readonly onOpen: (name: string) => void
}

const AccordionContext = createContext<AccordionState | null>(null)

interface AccordionProps extends AccordionState {
  label: string
  children: ReactNode
}

/** Stacked sections, one of them open at a time. */
export function Accordion({ open, onOpen, label, children }: AccordionProps) {
  const state = useMemo(() => ({ open, onOpen }), [open, onOpen])
  return (
    <AccordionContext value={state}>
      <aside className={styles['accordion']} aria-label={label}>
        {children}
      </aside>
    </AccordionContext>
  )
}

/** Moves between the headings (ARIA Authoring Practices, accordion). */
function handleKeyDown(event: KeyboardEvent<HTMLButtonElement>): void {
  const accordion = event.currentTarget.closest('aside')
  const headings = [...(accordion?.querySelectorAll<HTMLElement>(':scope > section > h2 > button') ?? [])]
  const next = stepThrough(event.key, headings.indexOf(event.currentTarget), headings.length)
  if (next === null) return
  event.preventDefault()
  headings[next]?.focus()
}

interface AccordionSectionProps {
  /** Identifies the section within the accordion. */
  name: string
  title: string
  /** How many things are in it; absent while unknown. */
  count?: number | undefined
  /** What the count leaves out. */
  note?: string | undefined
  children: ReactNode
}

/** Closed content is not rendered, so that it costs nothing. */
export function AccordionSection({ name, title, count, note, children }: AccordionSectionProps) {
  const state = useContext(AccordionContext)
  if (state === null) throw new Error('AccordionSection outside Accordion')
  const id = useId()
  const isOpen = state.open === name
  return (
    <section className={styles['section']}>
      <h2 className={styles['heading']}>
        <button
          type="button"
          id={`${id}-heading`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-content` : undefined}
          onKeyDown={handleKeyDown}
          onClick={() => state.onOpen(isOpen ? '' : name)}
        >
          <ChevronRight size={14} className={styles['arrow'] ?? ''} aria-hidden />
          <span>{title}</span>
          {count === undefined ? null : (
            <span className={styles['count']}>
              {note ? <span className={styles['note']}>{note}</span> : null}
              {count.toLocaleString()}
            </span>
          )}
        </button>
      </h2>
      {isOpen ? (
        <div id={`${id}-content`} className={styles['content']}>
          {children}
        </div>
      ) : null}
    </section>
  )
}
