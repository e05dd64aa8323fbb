import { isUuid } from '@watchroom/shared/kernel'
import type { ReactNode } from 'react'

import { NotFound } from './NotFound.tsx'
import { type QueryLook, QueryStates } from './QueryStates.tsx'

import styles from './FoundRow.module.css'

interface FoundRowProps<Row> {
  /** As the address says it. */
  id: string
  /** Should not ask for what is no id. */
  query: QueryLook<Row | null>
  /** What it is, in lower case: `check`. */
  noun: string
  /** Said when there is none. Default: the words of the specifications. */
  title?: string
  children: (row: Row) => ReactNode
}

/** The row of an address, or that there is none: also where no row can have such an id. */
export function FoundRow<Row>({ id, query, noun, title, children }: FoundRowProps<Row>) {
  const none = (
    <section className={styles['none']}>
      <NotFound noun={noun} {...(title === undefined ? {} : { title })} />
    </section>
  )
  if (!isUuid(id)) return none
  return (
    <QueryStates query={query} what={`the ${noun}`}>
      {(row) => (row === null ? none : children(row))}
    </QueryStates>
  )
}
