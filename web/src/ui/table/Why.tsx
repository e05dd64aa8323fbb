import type { ReactNode } from 'react'

import { HoverCard } from '../HoverCard.tsx'
import { DASH } from './Cell.tsx'
import type { TableColumn } from './column.ts'

import styles from './Why.module.css'

/** Why something failed: cut in its row, and whole below the pointer, on the focus, and by a click or a tap. */
export function Why({ text }: { text: string }) {
  return (
    <HoverCard opensOnClick content={<p className={styles['whole']}>{text}</p>}>
      <button type="button" className={styles['why']} data-why>
        {text}
      </button>
    </HoverCard>
  )
}

/** The reason of what failed, in a list of things that can fail. */
export const whyColumn = <Row,>(
  why: (row: Row) => string | null | undefined,
  { key = 'error', title = 'Why', ...column }: Partial<Pick<TableColumn<Row>, 'key' | 'title' | 'width'>> = {},
): TableColumn<Row> => ({
  ...column,
  key,
  title,
  kind: 'text',
  value: why,
  render: (row): ReactNode => {
    const text = why(row)
    return text ? <Why text={text} /> : DASH
  },
})
