import { useMutation } from '@tanstack/react-query'
import { fullNameOf, type Person } from '@watchroom/shared/people'

import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { confirmAddress } from '../queries.ts'

/** For someone who cannot prove it here, or before they do. */
export function ConfirmAddressDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const confirm = useMutation({
    mutationFn: () => confirmAddress(person),
    onSuccess: () => {
      showToast('address confirmed successfully')
      onClose()
    },
  })
  return (
    <ConfirmMutation
      title={`Confirm the address of ${fullNameOf(person)}?`}
      action="Confirm address"
      mutation={confirm}
      onCancel={onClose}
      onConfirm={() => confirm.mutate()}
    >
      They gave {person.email} to their account themselves, and nobody has proved that it is theirs. Once you confirm
      it, they can approve as it in every playbook that names it. Ask them in another way first.
    </ConfirmMutation>
  )
}
