import { useQueryClient } from '@tanstack/react-query'
import type { CheckSummary } from '@watchroom/shared/health'
import { matchesFilter, type WallBoard, type WallBoardInput, WallBoardInputSchema } from '@watchroom/shared/wall'
import { useMemo } from 'react'

import { wallKeys } from '../../../api/queryKeys.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { saveBoard } from '../queries.ts'
import { FilterFields } from './FilterFields.tsx'

interface BoardFormProps {
  rows: readonly CheckSummary[]
  /** Undefined: a new one. */
  board: WallBoard | undefined
  /** What a new one begins with. */
  initial: WallBoardInput
  onClose: () => void
}

const WORDS = { groupBy: 'One tile per', ungrouped: 'Check' }

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
  const { filter, groupBy } = form.values
  const matching = useMemo(() => rows.filter((row) => matchesFilter(row, filter)).length, [rows, filter])
  return (
    <FormDialog form={form} title={board ? `Change ${board.name}` : 'New board'} action="Save" onClose={onClose}>
      <TextField
        label="Name"
        {...form.field('name')}
        isFirst
        maxLength={80}
        placeholder="Payments, front desk, on call …"
      />
      <TextField label="Text in name, description, group or endpoint" {...form.field('filter.query')} maxLength={200} />
      <FilterFields
        rows={rows}
        filter={filter}
        groupBy={groupBy}
        words={WORDS}
        errorAt={(part) => form.errorAt(`filter.${part}`)}
        onFilter={(next) => form.set('filter', next)}
        onGroupBy={(next) => form.set('groupBy', next)}
      />
      <output className="wr-muted" aria-label="Matching checks">
        {matching === 1 ? 'One check matches now.' : `${matching} checks match now.`}
      </output>
    </FormDialog>
  )
}
