import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { useNavigate } from '@tanstack/react-router'
import type { WaitingRun } from '@watchroom/shared/protocol'

import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { titleOf } from '../runParts.ts'

import styles from '../playbooks.module.css'

/** Runs that wait for someone's word, the one that waits longest first. */
export function WaitingRuns({ runs }: { runs: readonly WaitingRun[] }) {
  const navigate = useNavigate()
  const sorted = runs.toSorted((one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? ''))
  return (
    <Menu aria-label="Runs that need approval" className={styles['inbox'] ?? ''}>
      <MenuDivider title="Needs your approval" />
      {sorted.map((run) => (
        <MenuItem
          key={run.id}
          multiline
          text={titleOf(run.playbooks)}
          labelElement={<TimeAgo at={run.created_at} />}
          onClick={() => void navigate({ to: '/playbooks/runs/$id', params: { id: run.id } })}
        />
      ))}
    </Menu>
  )
}
