import type { UseMutationResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'

import { errorText } from '../errorText.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface ConfirmMutationProps extends Omit<ComponentProps<typeof ConfirmDialog>, 'isBusy' | 'failure'> {
  mutation: Pick<UseMutationResult<unknown, Error, never>, 'isPending' | 'error' | 'reset'>
}

/** A question whose answer is a mutation. Why it failed stands in it for as long as it is asked: the next one may be about another row. */
export const ConfirmMutation = ({ mutation, onCancel, ...props }: ConfirmMutationProps) => (
  <ConfirmDialog
    {...props}
    isBusy={mutation.isPending}
    failure={mutation.error ? errorText(mutation.error) : null}
    onCancel={() => {
      mutation.reset()
      onCancel()
    }}
  />
)
