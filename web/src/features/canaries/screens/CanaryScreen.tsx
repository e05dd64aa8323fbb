import { Button } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import { type ReactElement, useState } from 'react'

import { canaryKeys } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { tableKeys } from '../../../api/tables.ts'
import { useTableSave } from '../../../api/useTableSave.ts'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { SettingsHistory } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { FormConflict, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { toRecord } from '../../../ui/form/pairs.ts'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useDraft } from '../../../ui/form/useDraft.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { FoundRow } from '../../../ui/FoundRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type RowTab, RowTabs } from '../../../ui/RowTabs.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { type CanaryRow, CanaryRowSchema } from '../canaryRow.ts'
import { CanaryEditor } from '../components/CanaryEditor.tsx'
import { type Definition, DraftSchema, toComparable, toDraft } from '../draft.ts'
import { canaryTable, readChecksOf } from '../queries.ts'
import { useTrial } from '../useTrial.ts'

import styles from '../canaries.module.css'

/** Where checks are defined: `/settings/canaries/{id}`. */
export function CanaryScreen(parts: OtherParts) {
  const { id = '' } = useParams({ strict: false })
  return <CanaryById key={id} id={id} {...parts} />
}

/** What other features show about a canary. */
interface OtherParts {
  renderJobs: (canaryId: string) => ReactElement
  /** A notice that it is silenced. */
  renderSilence: (canaryId: string) => ReactElement
}

export function CanaryById({ id, renderJobs, renderSilence }: OtherParts & { id: string }) {
  const query = useQuery({ ...canaryTable.oneQuery(id), enabled: isUuid(id) })
  const row = query.data
  const tabs: readonly RowTab<CanaryRow>[] = [
    { id: 'jobs', title: 'Job History', render: () => renderJobs(id) },
    { id: 'history', title: 'History', render: (current) => <CanaryHistory row={current} /> },
  ]
  return (
    <div className={styles['page']}>
      <PageHeader title={row?.name ?? 'Health check'}>{row ? <PagePeers page="canaries" id={id} /> : null}</PageHeader>
      <FoundRow id={id} query={query} noun="check">
        {(found) => (
          <>
            {renderSilence(id)}
            <RowTabs row={found} tabs={tabs}>
              <EditCanary current={found} />
            </RowTabs>
          </>
        )}
      </FoundRow>
    </div>
  )
}

/** @param current as the server has it now, as far as is known */
function EditCanary({ current }: { current: CanaryRow }) {
  const { user, can } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const write = useTableSave(canaryTable, UNCHANGED)
  const trial = useTrial(current.id)
  const work = useDraft(`canary:${current.id}:${user.id}`, DraftSchema, toDraft(current))
  const readOnly =
    toReadOnlyReason('check', current, current.agents?.name) ??
    (can('write', 'canaries') ? null : toRoleReason('checks'))
  const edited = useEditedRow<CanaryRow, Definition>({
    current,
    isNewer: (row, than) => !isSameVersion(row, than),
    isDirty: work.isDirty,
    isBegunOnOther: work.isOutdated,
    onReset: (row) => work.reset(toDraft(row)),
    goneText: 'Someone deleted this check while you were editing it.',
    save: (over, { draft, spec }) => write(over, { labels: toRecord(draft.labels), spec }),
  })

  function leaveToList(text: string): Promise<void> {
    work.finish()
    showToast(text)
    void queryClient.invalidateQueries({ queryKey: tableKeys.all('canaries_with_status') })
    return navigate({ to: '/settings/canaries' })
  }

  const savedBy = useSavedBy({
    table: 'canaries',
    resource: 'canaries',
    id: current.id,
    revision: edited.newer?.updated_at ?? null,
  })
  const save = useMutation({
    mutationFn: edited.save,
    onSuccess: async (isSaved) => {
      if (isSaved) await leaveToList(`${current.name} updated successfully`)
    },
  })
  return (
    <>
      <CanaryEditor
        work={work}
        isNew={false}
        readOnly={readOnly}
        isSaving={save.isPending}
        trial={trial}
        refusals={[]}
        notice={outdatedNotice('check', edited, { isDirty: work.isDirty, isSaving: save.isPending }, savedBy)}
        failure={save.isError ? errorText(save.error) : null}
        actions={<DeleteCanary row={current} onDeleted={() => leaveToList(`${current.name} deleted successfully`)} />}
        onSave={save.mutate}
      />
      <FormConflict
        savedBy={savedBy}
        what="check"
        form={{ isSaving: save.isPending, submit: () => save.variables && save.mutate(save.variables) }}
        edited={edited}
        mine={toComparable(work.draft)}
        toText={(row) => toComparable(toDraft(row))}
      />
    </>
  )
}

/** Two conditions, because the database moves `updated_at` with the spec alone. */
const UNCHANGED = ['updated_at', 'labels'] as const
const FormerSchema = CanaryRowSchema.pick({ labels: true, spec: true })

function CanaryHistory({ row }: { row: CanaryRow }) {
  const write = useTableSave(canaryTable, UNCHANGED)
  const mayWrite = useSession().can('write', 'canaries')
  return (
    <SettingsHistory
      table="canaries"
      resource="canaries"
      id={row.id}
      name={row.name}
      noun="check"
      revision={`${row.updated_at} ${JSON.stringify(row.labels)}`}
      isReadOnly={!mayWrite || toReadOnlyReason('check', row, row.agents?.name) !== null}
      onRestore={(former) => {
        const { labels, spec } = FormerSchema.parse(former)
        return write(row, { labels: labels ?? {}, spec })
      }}
    />
  )
}

/** The database moves `updated_at` with the spec alone. */
const isSameVersion = (one: CanaryRow, other: CanaryRow): boolean =>
  one.updated_at === other.updated_at && JSON.stringify(one.labels) === JSON.stringify(other.labels)

function DeleteCanary({ row, onDeleted }: { row: CanaryRow; onDeleted: () => Promise<void> }) {
  const [isAsking, setAsking] = useState(false)
  const checks = useQuery({
    queryKey: canaryKeys.checks(row.id),
    queryFn: ({ signal }) => readChecksOf(row.id, signal),
    enabled: isAsking,
  })
  const remove = useMutation({ mutationFn: () => canaryTable.softDelete(row.id), onSuccess: onDeleted })
  return (
    <>
      <Button variant="minimal" intent="danger" icon={<Trash />} text="Delete" onClick={() => setAsking(true)} />
      {isAsking ? (
        <ConfirmMutation
          title={`Delete ${row.name}?`}
          action="Delete check"
          mutation={remove}
          onCancel={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          {describeLoss(checks.data?.length)} for everyone at once. Past results stay until they expire.
        </ConfirmMutation>
      ) : null}
    </>
  )
}

/** @param count undefined while it is not known */
const describeLoss = (count: number | undefined): string =>
  count === 1
    ? 'Its check stops running and leaves the board'
    : `Its ${count === undefined ? '' : `${count} `}checks stop running and leave the board`
