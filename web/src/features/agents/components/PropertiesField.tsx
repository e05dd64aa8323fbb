import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useId } from 'react'

import { IconButton } from '../../../ui/IconButton.tsx'
import { nextRowId, type PropertyRow } from '../agentForm.ts'

interface PropertiesFieldProps {
  rows: readonly PropertyRow[]
  errors: ReadonlyMap<number, string>
  isReadOnly: boolean
  onChange: (rows: readonly PropertyRow[]) => void
}

/** A list of keys with values. */
export function PropertiesField({ rows, errors, isReadOnly, onChange }: PropertiesFieldProps) {
  const id = useId()
  const set = (rowId: number, patch: Partial<PropertyRow>): void =>
    onChange(rows.map((row) => (row.rowId === rowId ? { ...row, ...patch } : row)))

  function handleAdd(): void {
    onChange([...rows, { rowId: nextRowId(rows), key: '', value: '' }])
  }

  return (
    <FormGroup label="Properties" className="agent-properties">
      {rows.length === 0 && isReadOnly ? <p className="wr-muted">None</p> : null}
      {rows.length === 0 ? null : (
        <ul aria-label="Properties">
          {rows.map(({ rowId, key, value }, index) => {
            const error = errors.get(rowId)
            return (
              <li key={rowId}>
                <InputGroup
                  value={key}
                  placeholder="Key"
                  aria-label={`Key of property ${index + 1}`}
                  readOnly={isReadOnly}
                  intent={error === undefined ? 'none' : 'danger'}
                  aria-invalid={error !== undefined}
                  aria-describedby={error === undefined ? undefined : `${id}-${rowId}`}
                  // oxlint-disable-next-line jsx-a11y/no-autofocus -- a row somebody just added is typed into next
                  autoFocus={!isReadOnly && key === '' && value === ''}
                  onChange={(event) => set(rowId, { key: event.currentTarget.value })}
                />
                <InputGroup
                  value={value}
                  placeholder="Value"
                  aria-label={`Value of property ${index + 1}`}
                  readOnly={isReadOnly}
                  onChange={(event) => set(rowId, { value: event.currentTarget.value })}
                />
                {isReadOnly ? null : (
                  <IconButton
                    icon={<Trash />}
                    label={`Remove property ${key === '' ? index + 1 : key}`}
                    onClick={() => onChange(rows.filter((row) => row.rowId !== rowId))}
                  />
                )}
                {error === undefined ? null : (
                  <span id={`${id}-${rowId}`} className="agent-field-error">
                    {error}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {isReadOnly ? null : (
        <Button icon={<Plus />} text="Add property" size="small" variant="outlined" onClick={handleAdd} />
      )}
    </FormGroup>
  )
}
