import { Callout, Tag } from '@blueprintjs/core'
import { Envelope, Refresh } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OutboxMail } from '@watchroom/shared/people'

import { outboxQuery, sendAgain } from '../../api/outbox.ts'
import { errorText, RequestError } from '../../api/request.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { eventTimeColumn, ZoneLabel } from '../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../ui/table/RowActions.tsx'
import { whyColumn } from '../../ui/table/Why.tsx'
import { showErrorToast, showToast } from '../../ui/toaster.ts'

import styles from './outbox.module.css'

const keyOf = ({ id }: OutboxMail): string => id

const writtenAt = ({ createdAt }: OutboxMail): string => createdAt

const STATES = { sent: 'Sent', waiting: 'Waiting', failed: 'Not sent' } as const
const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['recovery_code', 'Recovery code'],
  ['recovery_link', 'Recovery link'],
  ['verification_code', 'Verification code'],
  ['verification_link', 'Verification link'],
  ['invitation', 'Invitation'],
  ['notification', 'Notification'],
  ['responder', 'Call of a responder'],
])

const columnsOf = (isKept: boolean): readonly TableColumn<OutboxMail>[] => [
  { key: 'to', title: 'To', kind: 'text', isMain: true, value: ({ to }) => to },
  { key: 'template', title: 'Mail', kind: 'text', value: ({ template }) => TEMPLATES.get(template) ?? template },
  {
    key: 'state',
    title: 'State',
    kind: 'text',
    value: ({ state }) => state,
    render: ({ state }) => <Tag minimal>{isKept && state === 'sent' ? 'Kept here' : STATES[state]}</Tag>,
  },
  whyColumn(({ error }) => error),
  // Not in the order of time: what was not sent comes first.
  eventTimeColumn({ key: 'createdAt', title: 'Written' }, writtenAt, true),
]

/** `/settings/outbox`: mails that wait, failed, or are kept because no mail server takes them away. */
export function OutboxScreen() {
  const outbox = useQuery(outboxQuery)
  const mails = useQuery({ ...outboxQuery, select: (answer) => answer.mails })
  const queryClient = useQueryClient()
  const handleSendAgain = async (id: string): Promise<void> => {
    try {
      await sendAgain(id)
      showToast('Sending the mail again')
      await queryClient.invalidateQueries({ queryKey: outboxQuery.queryKey })
    } catch (error) {
      showErrorToast(errorText(error))
    }
  }
  const actionsOf = ({ id, state }: OutboxMail): readonly RowAction[] =>
    state === 'sent' ? [] : [{ text: 'Send again', icon: <Refresh />, onSelect: () => void handleSendAgain(id) }]
  if (outbox.error instanceof RequestError && outbox.error.status === 404) {
    return (
      <>
        <PageHeader title="Outbox" />
        <EmptyState title="Mail is sent elsewhere" icon={<Envelope size={28} />}>
          This backend sends mail itself.
        </EmptyState>
      </>
    )
  }
  const isKept = outbox.data?.isKept ?? false
  return (
    <>
      <PageHeader title="Outbox">
        <ZoneLabel />
      </PageHeader>
      {isKept ? (
        <Callout intent="warning" compact className={`${styles['notice']}`}>
          No mail server is configured, so mail is kept here for you to pass on (<Link to="/docs">Docs</Link>). Anyone
          who reads it can use its links and codes.
        </Callout>
      ) : null}
      <ResourceTable
        name="outbox"
        label="Outbox"
        state={toQueryState(mails, 'mails')}
        columns={columnsOf(isKept)}
        keyOf={keyOf}
        rowActions={actionsOf}
        renderDetails={({ text }) =>
          text === null ? (
            <p className="wr-muted">A mail server accepted it. Its content isn’t kept.</p>
          ) : (
            <pre className={styles['mail']}>{text}</pre>
          )
        }
        empty={{
          icon: <Envelope size={28} />,
          text: 'No mail yet. Invitations, recovery codes and notifications appear here.',
        }}
      />
    </>
  )
}
