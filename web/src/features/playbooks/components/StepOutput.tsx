import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { isEnded } from '@watchroom/shared/playbooks'
import { type ReactNode, useMemo, useState } from 'react'

import type { TopicState } from '../../../live/contract.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { createLogLines, type LogLines } from '../../../ui/log-view/createLogLines.ts'
import { formatLineRange, tryParseLineRange } from '../../../ui/log-view/lineRange.ts'
import { LogView } from '../../../ui/log-view/LogView.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { StepTail } from '../output/StepTail.tsx'
import { useStepOutput } from '../output/useStepOutput.ts'
import { INITIALIZATION, type Step } from '../runParts.ts'
import { OUTPUT_POLL_MS, stepResultQuery } from '../runQueries.ts'
import { RunSearchSchema } from '../search.ts'
import { readResult } from '../stepResult.ts'
import { StepFiles } from './StepFiles.tsx'

import styles from '../playbooks.module.css'

/** What a step printed, or its result: live while it runs. */
export function StepOutput({ step }: { step: Step }) {
  return (
    <div className={styles['output']}>
      {step.error ? (
        <Callout intent="danger" icon={null} compact className={styles['stepError'] ?? ''}>
          {step.error}
        </Callout>
      ) : null}
      {step.id === INITIALIZATION ? null : <LiveOutput key={step.id} step={step} />}
      {step.id !== INITIALIZATION && isEnded(step.status) ? <StepFiles step={step} /> : null}
    </div>
  )
}

function LiveOutput({ step }: { step: Step }) {
  const ended = isEnded(step.status)
  const { output, revision } = useStepOutput(step.id)
  const [tail, setTail] = useState<TopicState>('loading')
  // This backend keeps no pieces: what a step printed stands in its result alone.
  const isMissing = tail === 'failed'
  const isEmpty = output.log.lines.length === 0
  const result = useQuery({
    ...stepResultQuery(step.id, step.status),
    enabled: isMissing || (ended && isEmpty && tail !== 'loading'),
    refetchInterval: isMissing && !ended ? OUTPUT_POLL_MS : false,
  })
  const isLive = !isEmpty || !(ended || isMissing)
  const waiting = output.isBehind() ? 'Loading the output…' : ended ? null : toWaiting(step)
  return (
    <>
      <StepTail actionId={step.id} output={output} hasEnded={ended} onState={setTail} />
      {isLive ? (
        <OutputLog step={step} log={output.log} revision={revision} isStill={false} untilThere={output.untilThere}>
          {waiting === null ? null : <EmptyState title={waiting} />}
        </OutputLog>
      ) : (
        <QueryStates query={result} what="the output">
          {(found) => <ResultLog step={step} result={found?.result ?? null} />}
        </QueryStates>
      )}
    </>
  )
}

/** A step that waits or sleeps prints nothing for now. */
const toWaiting = ({ status }: Step): string => (status === 'running' ? 'Waiting for output…' : 'No output yet')

/** The result of a step: what it printed if that is recorded, otherwise all of it. */
function ResultLog({ step, result }: { step: Step; result: unknown }) {
  const log = useMemo(() => {
    const lines = createLogLines()
    lines.append(readResult(result))
    return lines
  }, [result])
  return (
    <OutputLog step={step} log={log} revision={0} isStill>
      <EmptyState title={isEnded(step.status) ? 'No result' : toWaiting(step)} />
    </OutputLog>
  )
}

interface OutputLogProps {
  step: Step
  log: LogLines
  revision: number
  isStill: boolean
  /** Of lines that are still being read. */
  untilThere?: () => Promise<void>
  children: ReactNode
}

function OutputLog({ step, log, revision, isStill, untilThere, children }: OutputLogProps) {
  const [{ line }, setSearch] = useSearchState(RunSearchSchema)
  return (
    <LogView
      label={`Output of ${step.name}`}
      lines={log.lines}
      revision={revision}
      isStill={isStill}
      hasEnded={isEnded(step.status)}
      marked={tryParseLineRange(line)}
      // The step belongs to the lines: another one may be the last by the time the link is opened.
      onMark={(range) =>
        setSearch({ line: range === null ? '' : formatLineRange(range), step: step.id }, { replace: true })
      }
      download={{
        name: `${step.name}.log`,
        read: async () => {
          await untilThere?.()
          return { file: new Blob([log.text()], { type: 'text/plain' }) }
        },
      }}
      empty={children}
    />
  )
}
