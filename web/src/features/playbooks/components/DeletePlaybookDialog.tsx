import { useMutation, useQueryClient } from '@tanstack/react-query'

import { errorText } from '../../../api/request.ts'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { type PlaybookRow, playbookTable } from '../playbookQueries.ts'
import { titleOf } from '../runParts.ts'

interface DeletePlaybookDialogProps {
  playbook: Pick<PlaybookRow, 'id' | 'title' | 'name'>
  onDeleted?: () => void
  onClose: () => void
}

/** Asks, and deletes softly: the row stays and leaves every list. */
export function DeletePlaybookDialog({ playbook, onDeleted, onClose }: DeletePlaybookDialogProps) {
  const queryClient = useQueryClient()
  const title = titleOf(playbook)
  const remove = useMutation({
    mutationFn: () => playbookTable.softDelete(playbook.id),
    onSuccess: () => {
      showToast(`${title} deleted`)
      void playbookTable.invalidate(queryClient)
      onClose()
      onDeleted?.()
    },
    onError: (error) => {
      showErrorToast(`Unable to delete playbook spec: ${errorText(error)}`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${title}?`}
      action="Delete playbook"
      isBusy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      Nobody can run it any more, and its schedule and triggers stop. Its runs stay.
    </ConfirmDialog>
  )
}
