import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import { useSession } from '../../../api/session.tsx'
import { FormPage } from '../../../ui/form/FormPage.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { PlaybookFormFields } from '../components/PlaybookFormFields.tsx'
import { NEW_PLAYBOOK, PlaybookFormSchema, toNewPlaybook } from '../playbookForm.ts'
import { playbookTable } from '../playbookQueries.ts'

/** `/playbooks/new`: adds a playbook, and leads to the cards. */
export function NewPlaybookScreen() {
  const { user, can } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const readOnly = can('write', 'playbooks') ? null : toRoleReason('playbooks')
  const form = useForm({
    schema: PlaybookFormSchema,
    initial: NEW_PLAYBOOK,
    save: (output) => playbookTable.insert(toNewPlaybook(output, user.id)),
    onSaved: () => {
      showToast('Playbook Spec created successfully')
      void playbookTable.invalidate(queryClient)
      void navigate({ to: '/playbooks' })
    },
  })
  return (
    <>
      <PageHeader title="New playbook" />
      <FormPage form={form} label="New playbook" readOnly={readOnly}>
        <PlaybookFormFields form={form} source="UI" isReadOnly={readOnly !== null} />
      </FormPage>
    </>
  )
}
