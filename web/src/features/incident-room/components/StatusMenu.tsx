import { MenuItem, PopoverNext } from '@blueprintjs/core'
import { Blank, CaretDown, Tick } from '@blueprintjs/icons'
import { canChangeStatus, INCIDENT_STATUSES, type IncidentStatus, toLabel } from '@watchroom/shared/incidents'

import { CommandButton } from '../../../ui/CommandButton.tsx'
import { IncidentStatusTag } from '../../../ui/IncidentStatusTag.tsx'
import { ArrowMenu } from './ArrowMenu.tsx'

import styles from '../incidentRoom.module.css'

interface StatusMenuProps {
  readonly status: IncidentStatus
  /** If false, it is only shown. */
  readonly canChange: boolean
  readonly onChoose: (status: IncidentStatus) => void
}

/** The status, and those it can change to; for the others, why not. */
export function StatusMenu({ status, canChange, onChoose }: StatusMenuProps) {
  if (!canChange) return <IncidentStatusTag status={status} />
  return (
    <PopoverNext
      placement="bottom-end"
      autoFocus={false}
      content={
        <ArrowMenu aria-label="Status">
          {INCIDENT_STATUSES.map((each) => (
            <MenuItem
              key={each}
              text={toLabel(each)}
              icon={each === status ? <Tick /> : <Blank />}
              {...(each === status ? { 'aria-current': true } : {})}
              disabled={!canChangeStatus(status, each)}
              {...(canChangeStatus(status, each) ? {} : { label: `not from ${toLabel(status).toLowerCase()}` })}
              onClick={() => {
                if (each !== status) onChoose(each)
              }}
            />
          ))}
        </ArrowMenu>
      }
    >
      <CommandButton
        command="Change status"
        className={`${styles['status']}`}
        data-status={status}
        text={toLabel(status)}
        aria-label={`Status: ${toLabel(status)}`}
        endIcon={<CaretDown />}
      />
    </PopoverNext>
  )
}
