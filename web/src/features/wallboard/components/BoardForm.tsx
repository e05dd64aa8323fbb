import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type CheckSummary, tryParseGroupBy } from '@watchroom/shared/health'
import {
  matchesFilter,
  toNamespace,
  type WallBoard,
  type WallBoardInput,
  WallBoardInputSchema,
  type WallFilter,
} from '@watchroom/shared/wall'
import { useMemo } from 'react'

import { wallKeys } from '../../../api/queryKeys.ts'
import { LeaveGuard } from '../../../ui/dialog/LeaveGuard.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { saveBoard } from '../queries.ts'
import { NO_NAMESPACE } from '../search.ts'
import { GroupByOptions } from './GroupByOptions.tsx'
import { LabelChoices } from './LabelChoices.tsx'

import styles from '../wall.module.css'

interface BoardFormProps {
  rows: readonly CheckSummary[]
  /** Undefined: a new one. */
  board: WallBoard | undefined
  /** What a new one begins with. */
  initial: WallBoardInput
  onClose: () => void
}

/** Name and filter of a board, with the number of checks it would show now. */
export function BoardForm({ rows, board, initial, onClose }: BoardFormProps) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema: WallBoardInputSchema,
    initial: board ? { name: board.name, filter: board.filter, groupBy: board.groupBy } : initial,
    save: (input) => saveBoard(board?.id ?? null, input),
    onSaved: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: wallKeys.boards })
      showToast(`${name} saved`)
      onClose()
    },
  })
  const { filter } = form.values
  const namespaces = useMemo(() => [...new Set(rows.map(toNamespace))].toSorted(), [rows])
  const matching = useMemo(() => rows.filter((row) => matchesFilter(row, filter)).length, [rows, filter])
  const groupBy = form.field('groupBy')
  return (
    <form
      id={form.id}
      className={styles['form']}
      aria-label={board ? `Change ${board.name}` : 'New board'}
      noValidate
      onSubmit={form.submit}
    >
      <LeaveGuard hasUnsavedWork={form.hasUnsavedWork} isWithinPage />
      <h2>{board ? 'Change board' : 'New board'}</h2>
      <div className={styles['formFields']}>
        <TextField
          label="Name"
          {...form.field('name')}
          isFirst
          maxLength={80}
          placeholder="Payments, front desk, on call …"
        />
        <TextField
          label="Text in name, description, group or endpoint"
          {...form.field('filter.query')}
          maxLength={200}
        />
        <SelectField
          label="Namespace"
          error={form.errorAt('filter.namespace')}
          placeholder="All"
          options={namespaces.map((name) => ({ value: name || NO_NAMESPACE, label: name || 'none' }))}
          value={toChoice(filter.namespace)}
          onChange={(choice) => form.set('filter', withNamespace(filter, choice))}
        />
        <SelectField
          label="One tile per"
          {...groupBy}
          options={<GroupByOptions rows={rows} ungrouped="Check" />}
          onChange={(choice) => groupBy.onChange(tryParseGroupBy(choice) ?? 'no-group')}
        />
        <LabelChoices
          rows={rows}
          labels={filter.labels}
          onChange={(labels) => form.set('filter', { ...filter, labels })}
        />
      </div>
      <output className={`wr-muted ${styles['formCount']}`} aria-label="Matching checks">
        {matching === 1 ? 'One check matches now.' : `${matching} checks match now.`}
      </output>
      <div className={styles['adminActions']}>
        <Button type="submit" text="Save" intent="primary" loading={form.isSaving} />
        <Button text="Cancel" onClick={onClose} />
      </div>
    </form>
  )
}

/** No namespace at all is a choice of its own. */
const toChoice = (namespace: string | undefined): string => (namespace === undefined ? '' : namespace || NO_NAMESPACE)

function withNamespace({ namespace: _former, ...rest }: WallFilter, choice: string): WallFilter {
  return choice === '' ? rest : { ...rest, namespace: choice === NO_NAMESPACE ? '' : choice }
}
