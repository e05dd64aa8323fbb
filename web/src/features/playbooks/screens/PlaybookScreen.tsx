import { Button } from '@blueprintjs/core'
import { History, Play, Trash } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'
import { playbooksTopic } from '@watchroom/shared/protocol'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import { useMemo, useRef, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useProgramRules } from '../../../api/useProgramRules.ts'
import { useTableSave } from '../../../api/useTableSave.ts'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { useSpecNotice } from '../../../editor/useSpecNotice.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { FormPage } from '../../../ui/form/FormPage.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { FoundRow } from '../../../ui/FoundRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { DeletePlaybookDialog } from '../components/DeletePlaybookDialog.tsx'
import { PlaybookFormFields } from '../components/PlaybookFormFields.tsx'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { findPlaybookFault, playbookFormSchema, toComparable, toFields, toValues } from '../playbookForm.ts'
import { type PlaybookRow, playbookTable } from '../playbookQueries.ts'
import { titleOf } from '../runParts.ts'
import { atPlaybookFields } from '../savePlaybook.ts'

const UNCHANGED = ['updated_at'] as const

/** `/playbooks/{id}`: one playbook, to be edited by whoever may and read by everyone else. */
export function PlaybookScreen() {
  const { id = '' } = useParams({ strict: false })
  const query = useQuery({ ...playbookTable.oneQuery(id), enabled: isUuid(id) })
  const queryClient = useQueryClient()
  const { rows } = useTopic(playbooksTopic, {})
  useOnChange([rows.find((row) => row.id === id)?.updated_at], () => void playbookTable.invalidate(queryClient))
  return (
    <>
      <PageHeader
        title={query.data ? titleOf(query.data) : 'Playbook'}
        controls={query.data ? <PlaybookActions playbook={query.data} /> : null}
      >
        {query.data ? <PagePeers page="playbooks" id={id} /> : null}
      </PageHeader>
      <FoundRow id={id} query={query} noun="playbook" title="Playbook not found">
        {(row) => <EditPlaybook key={id} current={row} />}
      </FoundRow>
    </>
  )
}

function PlaybookActions({ playbook }: { playbook: PlaybookRow }) {
  const navigate = useNavigate()
  const mayRun = useSession().can('write', 'playbooks')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CommandButton
        icon={<History />}
        command="History"
        onClick={() => void navigate({ to: '/playbooks/runs', search: { playbook: playbook.id } })}
      />
      {mayRun && !playbook.deleted_at ? (
        <CommandButton icon={<Play />} intent="primary" command="Run" onClick={() => setOpen(true)} />
      ) : null}
      {isOpen ? <RunPlaybookDialog playbookId={playbook.id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** @param current as the server has it now, as far as is known */
function EditPlaybook({ current }: { current: PlaybookRow }) {
  const navigate = useNavigate()
  const { user, can } = useSession()
  const mayWrite = can('write', 'playbooks')
  const readOnly = toReadOnlyReason('playbook', current) ?? (mayWrite ? null : toRoleReason('playbooks'))
  const write = useTableSave(playbookTable, UNCHANGED)
  const isDeleted = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const leave = (): void => void navigate({ to: '/playbooks' })

  const unjudged = useMissing('specJudges')
  const schema = useMemo(() => playbookFormSchema(unjudged === null), [unjudged])
  const form = useForm({
    schema,
    initial: toFields(current),
    draftKey: readOnly === null ? `playbook:${current.id}:${user.id}` : undefined,
    save: (output): Promise<boolean> => atPlaybookFields(() => edited.save(toValues(output))),
    failureText: (message) => `Unable to update playbook spec: ${message}`,
    onSaved: () => {
      showToast('Playbook Spec updated successfully')
      leave()
    },
  })
  const edited = useEditedRow<PlaybookRow, ReturnType<typeof toValues>>({
    current,
    isNewer: (row, than) => row.updated_at !== than.updated_at,
    isDirty: form.isDirty,
    isBegunOnOther: form.draft.isOutdated,
    onReset: (row) => form.reset(toFields(row)),
    save: write,
    goneText: 'Someone deleted this playbook while you were editing it.',
  })
  const specNotice = useSpecNotice({
    text: form.values.spec,
    stored: useMemo(() => toFields(edited.base).spec, [edited.base]),
    programRefusal: useProgramRules().refusal,
    unjudged,
    findFault: findPlaybookFault,
  })
  const savedBy = useSavedBy({
    table: 'playbooks',
    resource: 'playbooks',
    id: current.id,
    revision: edited.newer?.updated_at ?? null,
  })
  return (
    <>
      <FormPage
        form={form}
        label={titleOf(current)}
        readOnly={readOnly}
        hasUnsavedWork={() => !isDeleted.current && form.hasUnsavedWork()}
        notice={outdatedNotice('playbook', edited, form, savedBy) ?? specNotice}
        actions={
          <Button variant="minimal" intent="danger" icon={<Trash />} text="Delete" onClick={() => setAsking(true)} />
        }
      >
        <PlaybookFormFields form={form} source={current.source ?? ''} isReadOnly={readOnly !== null} />
      </FormPage>
      {isAsking ? (
        <DeletePlaybookDialog
          playbook={current}
          onClose={() => setAsking(false)}
          onDeleted={() => {
            isDeleted.current = true
            form.draft.forget()
            leave()
          }}
        />
      ) : null}
      <FormConflict
        savedBy={savedBy}
        what="playbook"
        form={form}
        edited={edited}
        mine={toComparable(form.values)}
        toText={(row) => toComparable(toFields(row))}
      />
    </>
  )
}
