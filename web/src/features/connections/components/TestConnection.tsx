import { Button, Callout } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'

import { errorText } from '../../../ui/errorText.ts'
import type { TestVerdict } from '../testConnection.ts'

import styles from '../connections.module.css'

interface TestConnectionProps {
  /** The test sends a message to people. */
  isMessage: boolean
  /** Why it cannot be tested now. */
  refusal: string | null
  /** What is tested, as a text: a result is shown only for what it was obtained for. */
  subject: string
  run: (signal: AbortSignal) => Promise<TestVerdict>
}

const INTENTS = { ok: 'success', failed: 'danger', unsupported: 'warning' } as const

/** Tries the connection as it is entered now, saved or not. */
export function TestConnection({ isMessage, refusal, subject, run }: TestConnectionProps) {
  const [found, setFound] = useState<{ readonly subject: string; readonly verdict: TestVerdict } | null>(null)
  const [isRunning, setRunning] = useState(false)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])

  async function handleTest(): Promise<void> {
    const own = new AbortController()
    stop.current = own
    setRunning(true)
    setFound(null)
    try {
      const verdict = await run(own.signal)
      if (!own.signal.aborted) setFound({ subject, verdict })
    } catch (error) {
      if (!own.signal.aborted) setFound({ subject, verdict: { outcome: 'failed', text: errorText(error) } })
    } finally {
      if (!own.signal.aborted) setRunning(false)
    }
  }

  const verdict = found?.subject === subject ? found.verdict : null
  return (
    <div className={styles['test']}>
      <div className={styles['testBar']}>
        <Button
          text={isRunning ? 'Testing…' : isMessage ? 'Send test message' : 'Test'}
          variant="outlined"
          // Not disabled while it runs, because keyboard users would lose the focus.
          {...(refusal === null ? { 'aria-disabled': isRunning } : { disabled: true })}
          onClick={() => {
            if (!isRunning) void handleTest()
          }}
        />
        <span className="wr-muted">
          {refusal ?? (isMessage ? 'Sends one message, marked as a test.' : 'Uses the values entered above.')}
        </span>
      </div>
      <output className={styles['outcome']} aria-label="Result of the test">
        {verdict === null ? null : (
          <Callout intent={INTENTS[verdict.outcome]}>
            <pre className={styles['verdict']}>{verdict.text}</pre>
          </Callout>
        )}
      </output>
    </div>
  )
}
