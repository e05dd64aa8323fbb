import { Cross, Help, Tick, Time } from '@blueprintjs/icons'
import type { DodClause } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'

import { HoldRing } from './HoldRing.tsx'

import styles from '../evidence/evidence.module.css'

interface DodClausesProps {
  readonly clauses: readonly DodClause[]
  /** All that is missing is time. While something is wrong, waiting does not help. */
  readonly isHolding: boolean
}

/** The conditions of a script: which hold, which don't, and how much longer one has to. */
export function DodClauses({ clauses, isHolding }: DodClausesProps): ReactNode {
  return (
    <ul className={styles['dodClauses']} aria-label="Conditions">
      {clauses.map((clause, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a condition has no identity but its place in the script
        <li key={index} data-holds={toWord(clause.holds)}>
          <ClauseMark holds={clause.holds} isHolding={isHolding && clause.holdMs !== null} />
          <code>{clause.text}</code>
          {isHolding && clause.holdsSince !== null && clause.holdMs !== null && clause.error === null ? (
            <HoldRing since={clause.holdsSince} holdMs={clause.holdMs} />
          ) : null}
          {clause.error === null ? null : <span className={styles['dodClauseError']}>{clause.error}</span>}
        </li>
      ))}
    </ul>
  )
}

function toWord(holds: boolean | null): 'true' | 'false' | 'unknown' {
  return holds === null ? 'unknown' : holds ? 'true' : 'false'
}

const WORDS = { true: 'true: ', false: 'false: ', unknown: 'can’t be evaluated: ' } as const

function ClauseMark({ holds, isHolding }: Pick<DodClause, 'holds'> & { isHolding: boolean }): ReactNode {
  return (
    <>
      {holds === null ? (
        <Help size={12} />
      ) : holds ? (
        <Tick size={12} />
      ) : isHolding ? (
        <Time size={12} />
      ) : (
        <Cross size={12} />
      )}
      <span className="wr-visually-hidden">{WORDS[toWord(holds)]}</span>
    </>
  )
}
