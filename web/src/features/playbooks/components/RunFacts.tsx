import { Button } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import { ownValue } from '@watchroom/shared/kernel'
import { isEnded, type PlaybookRun } from '@watchroom/shared/playbooks'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { spanMs, TARGET_WORDS, targetOf, titleOf, toDuration } from '../runParts.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

import styles from '../playbooks.module.css'

const TARGET_AREAS = { config: 'config', component: 'topology', check: 'health' } as const

/** Facts about a run, on one line if there is room. */
export function RunFacts({ run }: { run: PlaybookRun }) {
  const target = targetOf(run)
  const { start_time: started, scheduled_time: scheduled, created_at: asked } = run
  const queuedMs = spanMs(asked ?? scheduled, started)
  return (
    <dl className={styles['facts']} aria-label="Run">
      <Fact name="Status">
        <RunStatusTag status={run.status} />
      </Fact>
      <Fact name="Playbook">
        <Link to="/playbooks/$id" params={{ id: run.playbook_id }}>
          {titleOf(run.playbooks)}
        </Link>
      </Fact>
      {target === null ? null : (
        <Fact name={TARGET_WORDS[target.kind]}>
          <RunTarget {...target} />
        </Fact>
      )}
      {scheduled ? (
        <Fact name="Scheduled">
          <TimeAgo at={scheduled} />
        </Fact>
      ) : null}
      <Fact name="Started">
        <TimeAgo at={started} absent="Not started" />
      </Fact>
      {started ? (
        <Fact name="Duration">
          <Elapsed from={started} to={isEnded(run.status) ? (run.end_time ?? started) : null} />
        </Fact>
      ) : null}
      {queuedMs === null ? null : <Fact name="Queued">{toDuration(queuedMs)}</Fact>}
      <Fact name="Triggered By">{run.created_by?.name || 'A trigger of the playbook'}</Fact>
      <Fact name="Parameters">
        <Parameters values={run.parameters ?? {}} />
      </Fact>
    </dl>
  )
}

function RunTarget({ kind, id: _, name, ...place }: NonNullable<ReturnType<typeof targetOf>>) {
  return (
    <AreaLink area={TARGET_AREAS[kind]} {...place}>
      {name}
    </AreaLink>
  )
}

function Parameters({ values }: { values: Readonly<Record<string, unknown>> }) {
  const names = Object.keys(values)
  if (names.length === 0) return <span className="wr-muted">None</span>
  return (
    <Popover
      placement="bottom-end"
      content={
        <dl className={styles['parameters']}>
          {names.map((name) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{toText(ownValue(values, name)) || <span className="wr-muted">Empty</span>}</dd>
            </div>
          ))}
        </dl>
      }
    >
      <Button
        size="small"
        variant="outlined"
        aria-haspopup="dialog"
        text={names.length === 1 ? '1 parameter' : `${names.length} parameters`}
      />
    </Popover>
  )
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
