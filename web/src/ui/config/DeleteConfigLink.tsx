import { useMutation } from '@tanstack/react-query'

import { ConfirmMutation } from '../dialog/ConfirmMutation.tsx'
import { showToast } from '../toaster.ts'

interface DeleteConfigLinkProps {
  configName: string
  componentName: string
  unlink: () => Promise<void>
  onDeleted: () => Promise<void>
  onClose: () => void
}

/** Asks before a manual link between an item and a component is deleted. */
export function DeleteConfigLink({ configName, componentName, unlink, onDeleted, onClose }: DeleteConfigLinkProps) {
  const deletion = useMutation({
    mutationFn: unlink,
    onSuccess: () => {
      showToast('Deleted config link successfully')
      onClose()
      return onDeleted()
    },
  })
  return (
    <ConfirmMutation
      title="Delete config link"
      action="Delete config link"
      mutation={deletion}
      onConfirm={() => deletion.mutate()}
      onCancel={onClose}
    >
      {configName} will no longer be shown on {componentName}. Neither of them changes.
    </ConfirmMutation>
  )
}
