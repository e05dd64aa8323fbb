import { Button } from '@blueprintjs/core'
import { Refresh, Trash } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EVENT_ROUTES, mayUseRoute } from '@watchroom/shared/access'
import type { FailedEvent } from '@watchroom/shared/settings'
import { useState } from 'react'

import { useMissing } from '../../api/backendFacts.ts'
import { useSession } from '../../api/session.tsx'
import { countOf } from '../../ui/countOf.ts'
import { ConfirmMutation } from '../../ui/dialog/ConfirmMutation.tsx'
import { Drawer } from '../../ui/dialog/Drawer.tsx'
import { errorText } from '../../ui/errorText.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { eventTimeColumn, useDays } from '../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../ui/table/RowActions.tsx'
import { toText } from '../../ui/table/sortRows.ts'
import type { TableSelection } from '../../ui/table/useSelectedRows.ts'
import { showErrorToast, showToast } from '../../ui/toaster.ts'
import { changeEvents, eventTables, failedEventsQuery } from './queries.ts'

import styles from './eventQueue.module.css'

const keyOf = ({ id }: FailedEvent): string => id

const lastAttempt = (event: FailedEvent): string | null | undefined => event.last_attempt

/** What the event is about, below the reason: a separate column would leave no room for that. */
const toFacts = (properties: FailedEvent['properties']): string =>
  Object.entries(properties ?? {})
    .map(([key, value]) => `${key}: ${toText(value)}`)
    .join(', ')

const COLUMNS: readonly TableColumn<FailedEvent>[] = [
  {
    key: 'error',
    title: 'Why',
    kind: 'text',
    isMain: true,
    isWrapped: true,
    value: ({ error }) => error,
    render: ({ error }) => error,
    note: ({ properties }) => toFacts(properties),
  },
  { key: 'attempts', title: 'Attempts', kind: 'number', value: ({ attempts }) => attempts },
  eventTimeColumn({ key: 'last_attempt', title: 'Last attempt' }, lastAttempt),
]

/** `1 event`, `3 events` */
const toCount = (count: number): string => countOf(count, 'event')

/** Events of one name that could not be handled: tried again, or given up, by those who may. */
export function FailedEvents({ name, onClose }: { name: string; onClose: () => void }) {
  const query = useQuery(failedEventsQuery(name))
  const events = query.data?.rows ?? []
  const groupOf = useDays(lastAttempt)
  const [doomed, setDoomed] = useState<readonly string[] | null>(null)
  const mayChange = useMayChange()
  const retry = useChange('retry', (count) => `${toCount(count)} tried again`)
  const drop = useChange('drop', (count) => {
    setDoomed(null)
    return `${toCount(count)} dropped`
  })
  const tryAgain = (ids: readonly string[], onSuccess = (): void => undefined): void =>
    retry.mutate(ids, { onSuccess, onError: (error) => showErrorToast(errorText(error)) })
  const actionsOf = ({ id }: FailedEvent): readonly RowAction[] => [
    { text: 'Try again', icon: <Refresh />, onSelect: () => tryAgain([id]) },
    { text: 'Drop', icon: <Trash />, isDestructive: true, onSelect: () => setDoomed([id]) },
  ]
  const selection: TableSelection<FailedEvent> = {
    actions: [
      {
        text: 'Try again',
        icon: <Refresh />,
        isBusy: retry.isPending,
        // They stay in the list until they are handled.
        onSelect: (rows, deselect) => tryAgain(rows.map(keyOf), () => deselect(rows)),
      },
      { text: 'Drop', icon: <Trash />, isDestructive: true, onSelect: (rows) => setDoomed(rows.map(keyOf)) },
    ],
  }
  const all = events.map(keyOf)
  return (
    <Drawer
      title={`Failed events: ${name}`}
      size="min(720px, 92vw)"
      onClose={onClose}
      foot={
        mayChange && all.length > 0 ? (
          <div className={styles['foot']}>
            <Button
              intent="primary"
              icon={<Refresh />}
              text={`Try ${toCount(all.length)} again`}
              loading={retry.isPending}
              onClick={() => tryAgain(all)}
            />
            <Button
              className={`${styles['apart']}`}
              variant="minimal"
              intent="danger"
              icon={<Trash />}
              text="Drop all"
              onClick={() => setDoomed(all)}
            />
          </div>
        ) : null
      }
    >
      <ResourceTable
        name="failed-events"
        label="Failed events"
        place="part"
        state={{ ...toQueryState(query, 'failed events'), data: query.data?.rows }}
        columns={COLUMNS}
        keyOf={keyOf}
        groupOf={groupOf}
        {...(mayChange ? { rowActions: actionsOf, selection } : {})}
        empty={{ title: 'None failed', text: `No ${name} event is waiting with an error.` }}
      />
      {doomed ? (
        <ConfirmMutation
          title={`Drop ${toCount(doomed.length)} of ${name}?`}
          action={doomed.length === 1 ? 'Drop event' : 'Drop events'}
          mutation={drop}
          onCancel={() => setDoomed(null)}
          onConfirm={() => drop.mutate(doomed)}
        >
          Nobody will be notified about them. This can’t be undone.
        </ConfirmMutation>
      ) : null}
    </Drawer>
  )
}

function useMayChange(): boolean {
  const { roles } = useSession()
  const isMissing = useMissing('eventRetries') !== null
  return !isMissing && mayUseRoute(EVENT_ROUTES.retry.access, roles)
}

/** @param toText what is said afterwards of so many events */
function useChange(verb: keyof typeof EVENT_ROUTES, toText: (count: number) => string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) => changeEvents(verb, ids),
    onSuccess: async (count) => {
      showToast(toText(count))
      await Promise.all(eventTables.map((table) => table.invalidate(queryClient)))
    },
  })
}
