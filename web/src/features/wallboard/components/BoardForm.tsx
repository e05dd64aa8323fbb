import { Button, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type CheckSummary, tryParseGroupBy } from '@watchroom/shared/health'
import { matchesFilter, toNamespace, type WallBoardInput, WallBoardInputSchema } from '@watchroom/shared/wall'
import { type SubmitEvent, useId, useMemo, useState } from 'react'

import { NO_NAMESPACE } from '../search.ts'
import { GroupByOptions } from './GroupByOptions.tsx'
import { LabelChoices } from './LabelChoices.tsx'
import { useFirstFocus } from './useFirstFocus.ts'

interface BoardFormProps {
  rows: readonly CheckSummary[]
  initial: WallBoardInput
  isNew: boolean
  /** Why the server refused it. */
  error: string | null
  isSaving: boolean
  onSave: (board: WallBoardInput) => void
  onCancel: () => void
}

/** Name and filter of a board, with the number of checks it would show now. */
export function BoardForm({ rows, initial, isNew, error, isSaving, onSave, onCancel }: BoardFormProps) {
  const id = useId()
  const nameField = useFirstFocus()
  const [name, setName] = useState(initial.name)
  const [filter, setFilter] = useState(initial.filter)
  const [groupBy, setGroupBy] = useState(initial.groupBy)
  const [nameProblem, setNameProblem] = useState<string | null>(null)
  const namespaces = useMemo(() => [...new Set(rows.map(toNamespace))].toSorted(), [rows])
  const matching = useMemo(() => rows.filter((row) => matchesFilter(row, filter)).length, [rows, filter])

  function handleSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const board = WallBoardInputSchema.safeParse({ name, filter, groupBy })
    setNameProblem(board.success ? null : (board.error.issues[0]?.message ?? null))
    if (board.success) onSave(board.data)
    else nameField.current?.focus()
  }

  return (
    <form className="wall-form" aria-label={isNew ? 'New board' : `Change ${initial.name}`} onSubmit={handleSubmit}>
      <h2>{isNew ? 'New board' : 'Change board'}</h2>
      <div className="wall-form-fields">
        <FormGroup
          label="Name"
          labelFor={`${id}-name`}
          intent={nameProblem === null ? 'none' : 'danger'}
          helperText={nameProblem}
        >
          <InputGroup
            id={`${id}-name`}
            inputRef={nameField}
            maxLength={80}
            value={name}
            aria-invalid={nameProblem !== null}
            placeholder="Payments, front desk, on call …"
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </FormGroup>
        <FormGroup label="Text in name, description, group or endpoint" labelFor={`${id}-query`}>
          <InputGroup
            id={`${id}-query`}
            maxLength={200}
            value={filter.query}
            onChange={(event) => setFilter({ ...filter, query: event.currentTarget.value })}
          />
        </FormGroup>
        <FormGroup label="Namespace" labelFor={`${id}-namespace`}>
          <HTMLSelect
            id={`${id}-namespace`}
            value={filter.namespace === undefined ? '' : filter.namespace || NO_NAMESPACE}
            onChange={(event) => {
              const { value } = event.currentTarget
              const { namespace: _former, ...rest } = filter
              setFilter(value === '' ? rest : { ...rest, namespace: value === NO_NAMESPACE ? '' : value })
            }}
          >
            <option value="">All</option>
            {namespaces.map((namespace) => (
              <option key={namespace} value={namespace || NO_NAMESPACE}>
                {namespace || 'none'}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
        <FormGroup label="One tile for each" labelFor={`${id}-group`}>
          <HTMLSelect
            id={`${id}-group`}
            value={groupBy}
            onChange={(event) => setGroupBy(tryParseGroupBy(event.currentTarget.value) ?? 'no-group')}
          >
            <GroupByOptions rows={rows} ungrouped="Check" />
          </HTMLSelect>
        </FormGroup>
        <LabelChoices rows={rows} labels={filter.labels} onChange={(labels) => setFilter({ ...filter, labels })} />
      </div>
      <output className="wr-muted wall-form-count" aria-label="Matching checks">
        {matching === 1 ? 'One check matches now.' : `${matching} checks match now.`}
      </output>
      {error === null ? null : (
        <p className="wall-form-error" role="alert">
          {error}
        </p>
      )}
      <div className="wall-admin-actions">
        <Button type="submit" text="Save" intent="primary" loading={isSaving} />
        <Button text="Cancel" onClick={onCancel} />
      </div>
    </form>
  )
}
