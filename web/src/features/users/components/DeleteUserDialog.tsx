import { useMutation } from '@tanstack/react-query'
import { fullNameOf, type Person } from '@watchroom/shared/people'

import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
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
    <ConfirmMutation
      title={`Delete ${fullNameOf(person)}?`}
      action="Delete user"
      mutation={remove}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      {person.email} can no longer sign in. Open pages and access tokens stop at once. Their name stays on what they
      wrote.
    </ConfirmMutation>
  )
}
