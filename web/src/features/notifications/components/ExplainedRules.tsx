// How each rule handled a transition: its conditions up to the deciding one, and what happened to its messages.
import { Button } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import type { Clause, Explanation } from '@watchroom/shared/notifications'

import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../notifications.module.css'

type Rule = Explanation['rules'][number]

/** The wording of a condition, met and unmet. */
const CLAUSE_WORDS: Readonly<Record<Clause['clause'], readonly [met: string, unmet: string]>> = {
  event: ['The rule covers this event', 'The rule doesn’t cover this event'],
  filter: ['The filter matches', 'The filter doesn’t match'],
  recipient: ['There’s a recipient', 'There’s no recipient'],
  silence: ['No silence applies', 'A silence applies'],
  'repeat-interval': ['Not sent within the repeat interval', 'Already sent within the repeat interval'],
  limit: ['Fewer than 50 messages in four hours', 'Too many messages in four hours'],
}

const OUTCOME_WORDS: Readonly<Record<Rule['outcome'], string>> = {
  'not-asked': 'not asked for',
  filtered: 'left out by the filter',
  error: 'error',
  silenced: 'silenced',
  'repeat-interval': 'repeated',
  'rate-limited': 'beyond the limit',
  told: 'told',
}

interface ExplainedRulesProps {
  readonly explanation: Explanation
  readonly onShowAll: () => void
}

export function ExplainedRules({ explanation: { rules, happened_at: happenedAt }, onShowAll }: ExplainedRulesProps) {
  return (
    <>
      <p className="wr-muted">
        It happened <TimeAgo at={happenedAt} />.{' '}
        <Button variant="minimal" size="small" text="All of this resource" onClick={onShowAll} />
      </p>
      {rules.length === 0 ? <p>There is no rule yet.</p> : null}
      {rules.map((rule) => (
        <ExplainedRule key={rule.id} rule={rule} />
      ))}
    </>
  )
}

function ExplainedRule({ rule: { id, title, outcome, clauses, sends } }: { rule: Rule }) {
  return (
    <section className={styles['explained']} aria-label={title}>
      <h3>
        <Link to="/settings/notifications" search={{ id }}>
          {title}
        </Link>
        : {OUTCOME_WORDS[outcome]}
      </h3>
      <ol>
        {clauses.map(({ clause, isMet, detail }) => (
          <li key={clause}>
            <span aria-hidden>{isMet ? '✓' : '✗'}</span> {CLAUSE_WORDS[clause][isMet ? 0 : 1]}
            {detail === null ? null : <span className="wr-muted">: {detail}</span>}
          </li>
        ))}
      </ol>
      {sends.length === 0 ? null : (
        <ul>
          {sends.map((send) => (
            <li key={send.id}>
              <Link to="/settings/notifications/history" search={{ id: send.id }}>
                {send.recipient ?? 'Nobody'}
              </Link>
              : {(send.status ?? 'sent').replaceAll('-', ' ')}
              {send.error === null ? null : <span className="wr-muted">, {send.error}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
