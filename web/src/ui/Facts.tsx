import type { ReactNode } from 'react'

import { Fact } from './Fact.tsx'

import styles from './Facts.module.css'

interface FactsProps {
  /** Missing and empty values are left out. */
  facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** Names and values, in two columns. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className={styles['facts']}>
    {facts.map(([name, value]) => (
      <Fact key={name} name={name}>
        {value}
      </Fact>
    ))}
  </dl>
)
