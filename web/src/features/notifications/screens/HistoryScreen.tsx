import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { capitalize } from '@watchroom/shared/kernel'
import { NOTIFICATION_EVENTS, SEND_STATUSES } from '@watchroom/shared/notifications'
import { type ReactNode, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { useListPage } from '../../../api/useListPage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { countOf } from '../../../ui/countOf.ts'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import type { CellKind, TableColumn } from '../../../ui/table/column.ts'
import { eventTimeColumn, useDays, ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { ChoiceFilter } from '../../../ui/table/ResourceToolbar.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import type { TableSelection } from '../../../ui/table/useSelectedRows.ts'
import { whyColumn } from '../../../ui/table/Why.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { resend, resendAll, ruleSummaryTable, type Send, sendTable, useLiveNotifications } from '../queries.ts'
import { titleOf } from '../ruleColumns.tsx'
import { DEFAULT_PAGE_SIZE, HistorySearchSchema, toHistoryAsk } from '../search.ts'

import styles from '../notifications.module.css'

const column = (kind: CellKind, key: keyof Send, title: string, isSortable = false): TableColumn<Send> => ({
  key,
  title,
  kind,
  isSortable,
  value: (row) => row[key],
})

const at = (send: Send): string => send.created_at

const toColumns = (hasDay: boolean): readonly TableColumn<Send>[] => [
  eventTimeColumn({ key: 'created_at', title: 'Time', isSortable: true }, at, hasDay),
  { ...column('code', 'source_event', 'Event'), width: 136 },
  { ...column('text', 'resource', 'Resource'), isMain: true, value: nameOf },
  { ...column('text', 'rule', 'Rule'), width: 120 },
  { ...column('text', 'recipient', 'Recipient'), width: 130 },
  { ...column('text', 'status', 'Status'), width: 120, render: (send) => <Status send={send} /> },
  whyColumn(({ error }) => error, { width: 160 }),
  { ...column('number', 'count', 'Count', true), width: 80 },
  column('duration', 'duration_millis', 'Duration', true),
]
/** In the order of time days are divided; else each time names its day. */
const BY_TIME = toColumns(false)
const BY_OTHERS = toColumns(true)

const toSend = ({ id }: Send): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })

function nameOf({ resource, resource_id: id }: Send): string {
  return resource?.name ?? id
}

const wordOf = (status: string): string => capitalize(status.replaceAll('-', ' '))

/** With the silence that held it back, if any. */
function Status({ send: { status, silence } }: { send: Send }): ReactNode {
  if (silence && status === 'silenced') {
    return (
      <Link to="/settings/notifications/silence" search={{ id: silence.id }}>
        Silenced{silence.description ? `: ${silence.description}` : ''}
      </Link>
    )
  }
  return wordOf(status ?? 'sent')
}

const toOption = (value: string) => ({ value, label: wordOf(value) })

/** The rule in the URL; it cannot be chosen here. */
function useRuleFilter(id: string, onRemove: () => void): readonly ChoiceFilter[] {
  const { data: rule, isPending } = useQuery({ ...ruleSummaryTable.oneQuery(id), enabled: id !== '' })
  if (id === '') return []
  const options = isPending ? [] : [{ value: id, label: rule ? titleOf(rule) : 'An unknown rule' }]
  return [{ kind: 'choice', key: 'rule', title: 'Rule', options, value: id, isLoading: isPending, onChange: onRemove }]
}

const RESENDABLE: ReadonlySet<string> = new Set(['sent', 'error', 'fallback', 'held-back'])

const isResendable = ({ recipient, status }: Send): boolean => Boolean(recipient) && RESENDABLE.has(status ?? '')

function useMayResend(): boolean {
  const isOffered = useMissing('notificationReasons') === null
  return useSession().can('write', 'notifications') && isOffered
}

/** Several messages sent again at once. */
function useResendSelection(): TableSelection<Send> {
  const [isBusy, setBusy] = useState(false)
  const handleResend = async (sends: readonly Send[], deselect: (done: readonly Send[]) => void): Promise<void> => {
    setBusy(true)
    const { resent, fault } = await resendAll(sends)
    setBusy(false)
    deselect(resent)
    if (fault === null) showToast(`${countOf(resent.length, 'message')} sent again`)
    else showErrorToast(`${resent.length.toLocaleString()} of ${countOf(sends.length, 'message')} sent again. ${fault}`)
  }
  return {
    canSelect: isResendable,
    actions: [
      {
        text: 'Resend',
        icon: <Refresh />,
        isBusy,
        onSelect: (sends, deselect) => void handleResend(sends, deselect),
      },
    ],
  }
}

/** `/settings/notifications/history`: what was sent to whom, and what was not, and why. */
export function HistoryScreen() {
  const live = useLiveNotifications()
  const [search, setSearch] = useSearchState(HistorySearchSchema)
  const page = useListPage(sendTable, {
    ask: toHistoryAsk(search),
    what: 'sent notifications',
    search,
    setSearch,
    defaultSize: DEFAULT_PAGE_SIZE,
  })
  const rule = useRuleFilter(search.rule, () => setSearch({ rule: '', pageIndex: 0 }))
  const mayResend = useMayResend()
  const selection = useResendSelection()
  const isByTime = search.sortBy === 'created_at'
  const groupOf = useDays(at)
  const isFiltered = [search.query, search.event, search.status, search.rule].some((value) => value !== '')
  return (
    <>
      <PageHeader title="Notification history">
        <Total of={page.total} />
        <ZoneLabel />
        <Freshness view={live} />
      </PageHeader>
      <ResourceTable
        name="notification-history"
        label="Notification history"
        {...page.wiring}
        columns={isByTime ? BY_TIME : BY_OTHERS}
        {...(isByTime ? { groupOf } : {})}
        rowLink={toSend}
        openKey={search.id}
        {...(mayResend ? { selection } : {})}
        empty={{
          title: 'Nothing sent yet',
          text: 'Messages appear here as notifications send them, or hold them back.',
        }}
        filteredEmpty={isFiltered ? { text: 'Nothing matches these filters.' } : null}
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search recipients',
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
          filters: [
            {
              kind: 'choice',
              key: 'event',
              title: 'Event',
              options: NOTIFICATION_EVENTS.map((value) => ({ value, label: value })),
              value: search.event,
              onChange: (event) => setSearch({ event, pageIndex: 0 }),
            },
            {
              kind: 'choice',
              key: 'status',
              title: 'Status',
              options: SEND_STATUSES.map(toOption),
              value: search.status,
              onChange: (status) => setSearch({ status, pageIndex: 0 }),
            },
            ...rule,
          ],
          reset: isFiltered
            ? {
                text: 'Clear filters',
                onReset: () => setSearch({ query: '', event: '', status: '', rule: '', pageIndex: 0 }),
              }
            : null,
        }}
      />
      {search.id === '' ? null : <OpenSend key={search.id} id={search.id} onClose={() => setSearch({ id: '' })} />}
    </>
  )
}

function OpenSend({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(sendTable.oneQuery(id))
  return (
    <OpenedRow query={query} noun="message" onClose={onClose}>
      {(send) => <SendDialog send={send} onClose={onClose} />}
    </OpenedRow>
  )
}

function SendDialog({ send, onClose }: { send: Send; onClose: () => void }) {
  const mayResend = useMayResend()
  const [isBusy, setBusy] = useState(false)
  const handleResend = async (): Promise<void> => {
    setBusy(true)
    try {
      await resend(send.id)
      showToast('Sent again')
      onClose()
    } catch (error) {
      showErrorToast(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <SizedDialog size="medium" isOpen title={`${send.source_event}: ${nameOf(send)}`} onClose={onClose}>
      <DialogBody>
        <dl className={styles['facts']}>
          <dt>Status</dt>
          <dd>
            <Status send={send} />
          </dd>
          <dt>Recipient</dt>
          <dd>{send.recipient ?? 'Nobody'}</dd>
          <dt>Attempts</dt>
          <dd>{send.attempts}</dd>
          {send.error ? (
            <>
              <dt>Error</dt>
              <dd>{send.error}</dd>
            </>
          ) : null}
        </dl>
        {send.body ? <pre className={styles['message']}>{`${send.title ?? ''}\n\n${send.body}`}</pre> : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Close" onClick={onClose} />
            {mayResend && isResendable(send) ? (
              <Button text="Resend" loading={isBusy} onClick={() => void handleResend()} />
            ) : null}
          </>
        }
      >
        {send.transition ? (
          <Link to="/settings/notifications/why" search={{ id: send.transition }}>
            Why?
          </Link>
        ) : null}
      </DialogFooter>
    </SizedDialog>
  )
}
