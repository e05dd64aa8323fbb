import { Button, Callout, Spinner } from '@blueprintjs/core'
import type { TriedCheck } from '@watchroom/shared/health'
import { formatDuration } from '@watchroom/shared/time'

import { errorText } from '../../../api/request.ts'
import { TrialProblems } from '../../../editor/TrialRun.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { Trial } from '../useTrial.ts'

import styles from '../canaries.module.css'

/** What a run of the unsaved definition found. @param text of the definition now */
export function TrialPanel({ trial, text }: { trial: Trial; text: string }) {
  const { isRunning, error, result } = trial
  if (!isRunning && !error && !result) return null
  return (
    <section className={styles['trial']} aria-label="Trial run" aria-live="polite">
      <header className={styles['trialHeader']}>
        <h2>Trial run</h2>
        {isRunning ? (
          <>
            <Spinner size={16} /> <span className="wr-muted">Running …</span>
            <Button size="small" text="Cancel" onClick={trial.close} />
          </>
        ) : (
          <Button size="small" variant="minimal" text="Close" onClick={trial.close} />
        )}
      </header>
      {error ? (
        <Callout intent="danger" icon={null} compact>
          {errorText(error)}
        </Callout>
      ) : null}
      {result ? (
        <>
          {trial.text !== text ? <p className="wr-muted">The definition has changed since.</p> : null}
          <ul className={styles['tried']}>
            {result.checks.map((check, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two checks of one trial may have the same name
              <Tried key={index} check={check} />
            ))}
          </ul>
          <TrialProblems title="Not run" problems={result.problems} />
          <p className="wr-muted">Nothing was stored.</p>
        </>
      ) : null}
    </section>
  )
}

function Tried({ check }: { check: TriedCheck }) {
  const text = check.error || check.message
  const hasDetails = check.details !== null && check.details !== undefined && Object.keys(check.details).length > 0
  return (
    <li>
      <div className={styles['triedLine']}>
        <StatusGlyph
          status={check.ok ? 'healthy' : check.invalid ? 'warning' : 'unhealthy'}
          word={check.ok ? 'Passed' : check.invalid ? 'Cannot run' : 'Failed'}
        />
        <strong>{check.name}</strong>
        <span className="wr-muted">{formatDuration(check.duration)}</span>
      </div>
      {text ? <p className={styles['triedText']}>{text}</p> : null}
      {hasDetails ? (
        <details>
          <summary>Details</summary>
          <pre>{JSON.stringify(check.details, null, 2)}</pre>
        </details>
      ) : null}
    </li>
  )
}
