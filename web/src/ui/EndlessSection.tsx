import type { ReactNode } from 'react'

import { AccordionSection } from './Accordion.tsx'
import { EndlessRows, type EndlessRowsProps } from './EndlessRows.tsx'

interface EndlessSectionProps<Row> extends EndlessRowsProps<Row> {
  name: string
  /** What the rows leave out. */
  note?: string | undefined
  /** Above the rows. */
  children?: ReactNode
}

/** An accordion section that lists any number of rows. */
export function EndlessSection<Row>({ name, note, children, ...rows }: EndlessSectionProps<Row>) {
  return (
    <AccordionSection name={name} title={rows.title} count={rows.found.total} note={note}>
      {children}
      <EndlessRows {...rows} />
    </AccordionSection>
  )
}
