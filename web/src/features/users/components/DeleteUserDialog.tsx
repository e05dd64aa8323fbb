import { useMutation } from '@tanstack/react-query'
import { fullNameOf, type Person } from '@watchroom/shared/people'

import { errorText } from '../../../api/request.ts'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { deleteUser } from '../queries.ts'

export function DeleteUserDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => deleteUser(person.id),
    onSuccess: () => {
      showToast('user deleted successfully')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${fullNameOf(person)}?`}
      action="Delete user"
      isBusy={remove.isPending}
      failure={remove.isError ? errorText(remove.error) : null}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      {person.email} can no longer sign in. Open pages and access tokens stop at once. Their name stays on what they
      wrote.
    </ConfirmDialog>
  )
}
