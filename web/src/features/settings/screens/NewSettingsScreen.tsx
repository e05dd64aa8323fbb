import { useNavigate } from '@tanstack/react-router'
import { placeOf, type SettingsResource } from '@watchroom/shared/settings'
import { useCallback, useMemo } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import { useSpecNotice } from '../../../editor/useSpecNotice.ts'
import { FormPage } from '../../../ui/form/FormPage.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { SettingsFormFields } from '../components/SettingsFormFields.tsx'
import type { RenderSpecForm } from '../renderSpecForm.ts'
import type { RenderTrial } from '../renderTrial.ts'
import { findTextFault, newFields, settingsFormSchema, toNewRow } from '../settingsForm.ts'
import { useSettingsTables } from '../useSettingsTables.ts'

interface NewSettingsScreenProps {
  definition: SettingsResource
  /** Fields of the spec, beside its text. */
  renderSpecForm?: RenderSpecForm
  /** Below the fields. */
  renderTrial?: RenderTrial
}

/** `/settings/{table}/new`: adds a row, and leads to the list. */
export function NewSettingsScreen({ definition, renderSpecForm, renderTrial }: NewSettingsScreenProps) {
  const title = `New ${definition.noun}`
  const { user, can } = useSession()
  const { one } = useSettingsTables(definition)
  const navigate = useNavigate()
  const readOnly = can('write', definition.resource, definition.object) ? null : toRoleReason(definition.nouns)
  const unjudged = useMissing('specJudges')
  const schema = useMemo(() => settingsFormSchema(definition, unjudged === null), [definition, unjudged])
  const form = useForm({
    schema,
    initial: newFields(definition),
    draftKey: readOnly === null ? `${definition.table}:new:${user.id}` : undefined,
    save: (output) => one.insert(toNewRow(definition, output, user.id)),
    onSaved: ({ name }) => {
      showToast(`${name} added successfully`)
      void navigate({ to: placeOf(definition) })
    },
  })
  const specNotice = useSpecNotice({
    text: form.values.spec,
    programRefusal: useProgramRules().refusal,
    unjudged,
    findFault: useCallback((text: string) => findTextFault(definition, text), [definition]),
  })
  return (
    <>
      <PageHeader title={title} />
      <FormPage
        form={form}
        label={title}
        readOnly={readOnly}
        isOffWhileInvalid={definition.table === 'topologies'}
        notice={specNotice}
      >
        <SettingsFormFields
          definition={definition}
          form={form}
          isNew={readOnly === null}
          isReadOnly={readOnly !== null}
          source="UI"
          renderSpecForm={renderSpecForm}
        />
        {readOnly === null ? renderTrial?.(form.values.spec, null) : null}
      </FormPage>
    </>
  )
}
