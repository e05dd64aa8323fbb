import { Callout } from '@blueprintjs/core'
import { ownValue } from '@watchroom/shared/kernel'

import { HEAD } from '../draft.ts'
import { describePath, type SpecFinding } from '../spec/findProblems.ts'

import styles from '../canaries.module.css'

interface ProblemListProps {
  findings: readonly SpecFinding[]
  /** Why doubts don't prevent saving; null if the backend judges by the same schemas. */
  doubt: string | null
  /** The fields show their own problems, so only problems without a field are listed. */
  isBesideFields: boolean
  /** Leads to the place. */
  onGo: (finding: SpecFinding) => void
}

const HEAD_WORDS: Readonly<Record<string, string>> = { name: 'Name', namespace: 'Namespace', labels: 'Labels' }

/** How many problems there are, and a link to the place of each. */
export function ProblemList({ findings, doubt, isBesideFields, onGo }: ProblemListProps) {
  if (findings.length === 0) return null
  const listed = isBesideFields
    ? findings.filter(({ path, level }) => path.length === 0 || level === 'warning')
    : findings
  const errors = findings.filter(({ level }) => level === 'error').length
  return (
    <Callout
      className={`${styles['problems']}`}
      intent={errors > 0 ? 'danger' : 'warning'}
      icon={null}
      compact
      aria-live="polite"
      title={errors > 0 ? `Fix ${errors === 1 ? '1 problem' : `${errors} problems`} before saving` : 'Unknown here'}
    >
      {listed.length === 0 ? null : (
        <ul>
          {listed.map((finding) => {
            const place =
              finding.path[0] === HEAD ? ownValue(HEAD_WORDS, String(finding.path[1])) : describePath(finding.path)
            return (
              <li key={`${finding.path.join('.')} ${finding.message}`}>
                <button type="button" onClick={() => onGo(finding)}>
                  {!place ? null : <strong>{`${place}: `}</strong>}
                  {finding.message}
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {errors === 0 && findings.some(({ level }) => level === 'doubt') ? doubt : null}
    </Callout>
  )
}
