import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import { useSpecNotice } from '../../../editor/useSpecNotice.ts'
import { FormPage } from '../../../ui/form/FormPage.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { PlaybookFormFields } from '../components/PlaybookFormFields.tsx'
import { findPlaybookFault, newPlaybook, playbookFormSchema } from '../playbookForm.ts'
import { playbookTable } from '../playbookQueries.ts'
import { addPlaybook } from '../savePlaybook.ts'

/** `/playbooks/new`: adds a playbook, and leads to the cards. */
export function NewPlaybookScreen() {
  const { user, roles, can } = useSession()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const readOnly = can('write', 'playbooks') ? null : toRoleReason('playbooks')
  const unjudged = useMissing('specJudges')
  const schema = useMemo(() => playbookFormSchema(unjudged === null), [unjudged])
  const form = useForm({
    schema,
    initial: newPlaybook(roles.includes('admin')),
    draftKey: readOnly === null ? `playbook:new:${user.id}` : undefined,
    save: (output) => addPlaybook(output, user.id),
    onSaved: () => {
      showToast('Playbook Spec created successfully')
      void playbookTable.invalidate(queryClient)
      void navigate({ to: '/playbooks' })
    },
  })
  const specNotice = useSpecNotice({
    text: form.values.spec,
    programRefusal: useProgramRules().refusal,
    unjudged,
    findFault: findPlaybookFault,
  })
  return (
    <>
      <PageHeader title="New playbook" />
      <FormPage form={form} label="New playbook" readOnly={readOnly} notice={specNotice}>
        <PlaybookFormFields form={form} source="UI" isReadOnly={readOnly !== null} />
      </FormPage>
    </>
  )
}
