import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { CaretDown, Tick } from '@blueprintjs/icons'
import { canChangeStatus, INCIDENT_STATUSES, type IncidentStatus } from '@watchroom/shared/incidents'

import { toLabel } from '../../labels.ts'

interface StatusMenuProps {
  readonly status: IncidentStatus
  readonly disabled: boolean
  readonly onChoose: (status: IncidentStatus) => void
}

/** The status, and those it can change to; the others say why not. */
export function StatusMenu({ status, disabled, onChoose }: StatusMenuProps) {
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <Menu aria-label="Status">
          {INCIDENT_STATUSES.map((each) => (
            <MenuItem
              key={each}
              text={toLabel(each)}
              {...(each === status ? { icon: <Tick />, 'aria-current': true } : {})}
              disabled={!canChangeStatus(status, each)}
              {...(canChangeStatus(status, each) ? {} : { label: `not from ${toLabel(status).toLowerCase()}` })}
              onClick={() => {
                if (each !== status) onChoose(each)
              }}
            />
          ))}
        </Menu>
      }
      disabled={disabled}
    >
      <Button
        className="room-status"
        data-status={status}
        disabled={disabled}
        text={toLabel(status)}
        aria-label={`Status: ${toLabel(status)}`}
        endIcon={<CaretDown />}
      />
    </PopoverNext>
  )
}
