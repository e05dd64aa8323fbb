import { Button, Tab, Tabs } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'
import { toReadOnlyReason } from '@watchroom/shared/settings'
import { type ReactElement, useRef, useState } from 'react'

import { canaryKeys } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { tableKeys } from '../../../api/tables.ts'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { requireRestored, SettingsHistory } from '../../../collab/SettingsHistory.tsx'
import { useSavedBy } from '../../../collab/settingsVersions.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { ConflictDialog } from '../../../ui/dialog/ConflictDialog.tsx'
import { LeaveGuard } from '../../../ui/dialog/LeaveGuard.tsx'
import { OutdatedNotice, outdatedNotice } from '../../../ui/form/FormConflict.tsx'
import { toRecord } from '../../../ui/form/pairs.ts'
import { RestoredNotice } from '../../../ui/form/RestoredNotice.tsx'
import { toRoleReason } from '../../../ui/form/roleReason.ts'
import { useDraft } from '../../../ui/form/useDraft.ts'
import { useEditedRow } from '../../../ui/form/useEditedRow.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { NOT_OPEN } from '../../../ui/notOpen.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type CanaryRow, CanaryRowSchema } from '../canaryRow.ts'
import { CanaryEditor } from '../components/CanaryEditor.tsx'
import { type Draft, DraftSchema, toComparable, toDraft } from '../draft.ts'
import { canaryTable, readChecksOf } from '../queries.ts'
import { canarySearch, TABS, type View } from '../search.ts'
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
  const isPlausible = isUuid(id)
  const query = useQuery({ ...canaryTable.oneQuery(id), enabled: isPlausible })
  const row = query.data
  return (
    <div className={styles['page']}>
      <PageHeader title={row?.name ?? 'Health check'}>{row ? <PagePeers page="canaries" id={id} /> : null}</PageHeader>
      {isPlausible ? (
        <QueryStates query={query} what="the check">
          {(found) =>
            found === null ? (
              <NotFound noun="check" />
            ) : (
              <>
                {renderSilence(id)}
                <CanaryTabs row={found} renderJobs={renderJobs} />
              </>
            )
          }
        </QueryStates>
      ) : (
        <NotFound noun="check" />
      )}
    </div>
  )
}

function CanaryTabs({ row, renderJobs }: Pick<OtherParts, 'renderJobs'> & { row: CanaryRow }) {
  const [{ view, tab }, setSearch] = useSearchState(canarySearch)
  return (
    <Tabs
      id="canary-tabs"
      selectedTabId={tab}
      onChange={(next) => setSearch({ tab: TABS.find((each) => each === next) ?? 'spec' })}
    >
      <Tab
        disabled={false}
        id="spec"
        title="Spec"
        panel={
          tab === 'spec' ? (
            <EditCanary
              key={row.id}
              current={row}
              view={view}
              onView={(next) => setSearch({ view: next }, { replace: true })}
            />
          ) : (
            NOT_OPEN
          )
        }
      />
      <Tab disabled={false} id="jobs" title="Job History" panel={tab === 'jobs' ? renderJobs(row.id) : NOT_OPEN} />
      <Tab
        disabled={false}
        id="history"
        title="History"
        panel={tab === 'history' ? <CanaryHistory row={row} /> : NOT_OPEN}
      />
    </Tabs>
  )
}

interface EditCanaryProps {
  /** As the server has it now, as far as is known. */
  current: CanaryRow
  view: View
  onView: (view: View) => void
}

function EditCanary({ current, view, onView }: EditCanaryProps) {
  const { user, can } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const rowKey = tableKeys.one(canaryTable.name, current.id)
  const trial = useTrial(current.id)
  const work = useDraft(`canary:${current.id}:${user.id}`, DraftSchema, toDraft(current))
  const isDone = useRef(false)
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
    save: async (over, { draft, spec }) => {
      const values = { labels: toRecord(draft.labels), spec }
      const result = await canaryTable.update(over, values, UNCHANGED)
      if (result.kind === 'changed') queryClient.setQueryData(rowKey, result.current)
      return result
    },
  })

  function leaveToList(text: string): Promise<void> {
    isDone.current = true
    work.forget()
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
      if (!isSaved) return
      queryClient.removeQueries({ queryKey: rowKey })
      await leaveToList(`${current.name} updated successfully`)
    },
  })
  const outdated = outdatedNotice('check', edited, { isDirty: work.isDirty, isSaving: save.isPending }, savedBy)
  /** The definition waiting for a decision in the dialog. */
  const [pending, setPending] = useState<Definition>()

  return (
    <>
      <LeaveGuard hasUnsavedWork={() => work.isDirty && !isDone.current && readOnly === null} onLeave={work.forget} />
      <CanaryEditor
        draft={work.draft}
        view={view}
        onView={onView}
        isNew={false}
        readOnly={readOnly}
        isDirty={work.isDirty}
        isSaving={save.isPending}
        trial={trial}
        refusals={[]}
        notices={
          <>
            {work.wasRestored && readOnly === null ? (
              <RestoredNotice onDiscard={() => work.reset(toDraft(edited.base))} />
            ) : null}
            {outdated ? <OutdatedNotice notice={outdated} /> : null}
          </>
        }
        failure={save.isError ? errorText(save.error) : null}
        actions={<DeleteCanary row={current} onDeleted={() => leaveToList(`${current.name} deleted successfully`)} />}
        onChange={work.set}
        onSave={(draft, spec) => {
          setPending({ draft, spec })
          save.mutate({ draft, spec })
        }}
      />
      {edited.theirs && pending ? (
        <ConflictDialog
          what="check"
          mine={toComparable(pending.draft)}
          theirs={toComparable(toDraft(edited.theirs))}
          savedAt={edited.theirs.updated_at}
          savedBy={savedBy}
          isSaving={save.isPending}
          onKeepEditing={edited.keepEditing}
          onTakeTheirs={edited.takeTheirs}
          onSaveMine={() => {
            edited.overwriteTheirs()
            save.mutate(pending)
          }}
        />
      ) : null}
    </>
  )
}

/** A draft, and what its text says. */
interface Definition {
  readonly draft: Draft
  readonly spec: CanaryRow['spec']
}

/** Two conditions, because the database moves `updated_at` with the spec alone. */
const UNCHANGED = ['updated_at', 'labels'] as const
const FormerSchema = CanaryRowSchema.pick({ labels: true, spec: true })

function CanaryHistory({ row }: { row: CanaryRow }) {
  const queryClient = useQueryClient()
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
      onRestore={async (former) => {
        const { labels, spec } = FormerSchema.parse(former)
        const result = await canaryTable.update(row, { labels: labels ?? {}, spec }, UNCHANGED)
        void canaryTable.invalidate(queryClient)
        requireRestored(result.kind, 'check')
        showToast(`${row.name} restored successfully`)
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
