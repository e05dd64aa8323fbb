import { Callout } from '@blueprintjs/core'

import { HEAD } from '../draft.ts'
import { describePath, type SpecFinding } from '../spec/findProblems.ts'

interface ProblemListProps {
  findings: readonly SpecFinding[]
  /** Leads to the place. */
  onGo: (finding: SpecFinding) => void
}

const HEAD_WORDS: Readonly<Record<string, string>> = { name: 'Name', namespace: 'Namespace', labels: 'Labels' }

/** What is wrong, by place, each leading there. */
export function ProblemList({ findings, onGo }: ProblemListProps) {
  if (findings.length === 0) return null
  const errors = findings.filter(({ level }) => level === 'error').length
  return (
    <Callout
      className="canary-problems"
      intent={errors > 0 ? 'danger' : 'warning'}
      icon={null}
      compact
      aria-live="polite"
      title={
        errors > 0
          ? `${errors === 1 ? '1 problem' : `${errors} problems`} to mend before it can be saved`
          : 'Not known here'
      }
    >
      <ul>
        {findings.map((finding) => {
          const place = finding.path[0] === HEAD ? HEAD_WORDS[String(finding.path[1])] : describePath(finding.path)
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
    </Callout>
  )
}
