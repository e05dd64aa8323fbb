import { Callout } from '@blueprintjs/core'

import { HEAD } from '../draft.ts'
import { describePath, type SpecFinding } from '../spec/findProblems.ts'

interface ProblemListProps {
  findings: readonly SpecFinding[]
  /** Leads to the place. */
  onGo: (finding: SpecFinding) => void
}

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
          const place = describePath(finding.path[0] === HEAD ? finding.path.slice(1) : finding.path)
          return (
            <li key={`${finding.path.join('.')} ${finding.message}`}>
              <button type="button" onClick={() => onGo(finding)}>
                {place === '' ? null : <code>{place}</code>} {finding.message}
              </button>
            </li>
          )
        })}
      </ul>
    </Callout>
  )
}
