import { Button } from '@blueprintjs/core'
import { Confirm, Edit, Envelope, History, Plus, Trash } from '@blueprintjs/icons'
import { ROLES } from '@watchroom/shared/access'
import { fullNameOf, type Person } from '@watchroom/shared/people'
import { peopleTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicRowState, toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { OpenedState } from '../../../ui/dialog/OpenedRow.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toPaging, toSort } from '../../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../../ui/table/pages.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../../ui/table/RowActions.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { Total } from '../../../ui/Total.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ConfirmAddressDialog } from '../components/ConfirmAddressDialog.tsx'
import { DeleteUserDialog } from '../components/DeleteUserDialog.tsx'
import { EditUserDialog } from '../components/EditUserDialog.tsx'
import { InvitationDialog } from '../components/InvitationDialog.tsx'
import { InviteUserDialog, type SentInvitation } from '../components/InviteUserDialog.tsx'
import { SessionsDialog } from '../components/SessionsDialog.tsx'
import { USER_COLUMNS } from '../components/userColumns.tsx'
import { fetchPeople, inviteAgain } from '../queries.ts'
import { type UserSearch, UserSearchSchema } from '../search.ts'

const OPTIONS = { fetchRows: fetchPeople }
const keyOf = ({ id }: Person): string => id
const toUser = ({ id }: Person): RowLink => ({ to: '.', search: (current) => ({ ...current, id }) })
const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }))

/** What stands over the list and is in no address: it names one moment. */
type Dialog =
  | { readonly kind: 'sessions' | 'address' | 'delete'; readonly person: Person }
  | { readonly kind: 'invitation'; readonly invitation: SentInvitation }

/** `/settings/users`: who can sign in, with which role, and when they were last here. */
export function UsersScreen() {
  const topic = useTopic(peopleTopic, {}, OPTIONS)
  const session = useSession()
  const mayWrite = session.can('write', 'identities')
  const [search, setSearch] = useSearchState(UserSearchSchema)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const found = useMemo(() => topic.rows.filter((person) => passes(person, search)), [topic.rows, search])
  const isFiltered = search.query !== '' || search.role !== ''
  const invite = mayWrite ? { text: 'Invite User', icon: <Plus />, onClick: () => setSearch({ invite: true }) } : null
  const handleResend = async (person: Person): Promise<void> => {
    try {
      const link = await inviteAgain(person.id)
      setDialog({ kind: 'invitation', invitation: { name: fullNameOf(person), email: person.email, link } })
    } catch (error) {
      showErrorToast(errorText(error))
    }
  }
  const isControlled = useMissing('accountControl') === null
  const actionsOf = (person: Person): readonly RowAction[] =>
    toActions(
      person,
      { isSelf: person.id === session.user.id, isControlled },
      {
        onEdit: () => setSearch({ id: person.id }),
        onResend: () => void handleResend(person),
        onSessions: () => setDialog({ kind: 'sessions', person }),
        onConfirmAddress: () => setDialog({ kind: 'address', person }),
        onDelete: () => setDialog({ kind: 'delete', person }),
      },
    )
  return (
    <>
      <PageHeader
        title="Users"
        action={invite}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
      >
        <Total of={topic.rows.length || undefined} />
        <Freshness view={topic} />
      </PageHeader>
      <ResourceTable
        name="users"
        label="Users"
        state={toTopicState(topic, 'users')}
        found={found}
        columns={USER_COLUMNS}
        keyOf={keyOf}
        {...(mayWrite ? { rowLink: toUser, rowActions: actionsOf } : {})}
        openKey={search.id}
        sort={toSort(search, setSearch)}
        paging={toPaging(search, setSearch, { sizes: SHORT_PAGE_SIZES, defaultSize: SHORT_PAGE_SIZES[0] })}
        isLive
        empty={{ text: 'No accounts yet.', ...(invite ? { action: <Button {...invite} /> } : {}) }}
        filteredEmpty={isFiltered ? { text: 'No one matches these filters.' } : null}
        toolbar={{
          search: {
            value: search.query,
            placeholder: 'Search users',
            onSearch: (query) => setSearch({ query, pageIndex: 0 }, { replace: true }),
          },
          filters: [
            {
              kind: 'choice',
              key: 'role',
              title: 'Role',
              options: ROLE_OPTIONS,
              value: search.role,
              onChange: (role) => setSearch({ role: role as UserSearch['role'], pageIndex: 0 }),
            },
          ],
          reset: isFiltered
            ? { text: 'Clear filters', onReset: () => setSearch({ query: '', role: '', pageIndex: 0 }) }
            : null,
        }}
      />
      {mayWrite ? <UserDialogs topic={topic} dialog={dialog} onDialog={setDialog} /> : null}
    </>
  )
}

function passes(person: Person, { query, role }: UserSearch): boolean {
  const text = query.trim().toLowerCase()
  if (role !== '' && person.role !== role) return false
  return text === '' || `${fullNameOf(person)}\n${person.email}`.toLowerCase().includes(text)
}

interface ActionHandlers {
  onEdit: () => void
  onResend: () => void
  onSessions: () => void
  onConfirmAddress: () => void
  onDelete: () => void
}

interface ActionFacts {
  isSelf: boolean
  /** The backend lists sessions and invites again. */
  isControlled: boolean
}

function toActions(person: Person, { isSelf, isControlled }: ActionFacts, on: ActionHandlers): readonly RowAction[] {
  const isInvited = isControlled && person.state === 'invited'
  const hasSessions = isControlled && person.sessions !== null
  return [
    { text: 'Edit', icon: <Edit />, onSelect: on.onEdit },
    ...(isInvited ? [{ text: 'Send invitation again', icon: <Envelope />, onSelect: on.onResend }] : []),
    ...(isControlled && person.isAddressUnproved
      ? [{ text: 'Confirm address', icon: <Confirm />, onSelect: on.onConfirmAddress }]
      : []),
    ...(hasSessions ? [{ text: 'Sessions', icon: <History />, onSelect: on.onSessions }] : []),
    {
      text: 'Delete',
      icon: <Trash />,
      onSelect: on.onDelete,
      isDestructive: true,
      ...(isSelf ? { disabledReason: 'Your own account' } : {}),
    },
  ]
}

interface UserDialogsProps {
  topic: TopicView<Person>
  dialog: Dialog | null
  onDialog: (dialog: Dialog | null) => void
}

function UserDialogs({ topic, dialog, onDialog }: UserDialogsProps): ReactNode {
  const [{ invite, id }, setSearch] = useSearchState(UserSearchSchema)
  const { user } = useSession()
  const handleClose = (): void => setSearch({ invite: false, id: '' })
  const handleDone = (): void => onDialog(null)
  if (dialog?.kind === 'invitation') return <InvitationDialog invitation={dialog.invitation} onClose={handleDone} />
  if (dialog?.kind === 'sessions') return <SessionsDialog person={dialog.person} onClose={handleDone} />
  if (dialog?.kind === 'address') return <ConfirmAddressDialog person={dialog.person} onClose={handleDone} />
  if (dialog?.kind === 'delete') return <DeleteUserDialog person={dialog.person} onClose={handleDone} />
  if (invite) {
    return (
      <InviteUserDialog
        people={topic.rows}
        onInvited={(invitation) => {
          onDialog({ kind: 'invitation', invitation })
          handleClose()
        }}
        onClose={handleClose}
      />
    )
  }
  if (id === '') return null
  const state = toTopicRowState(topic, 'the user', (row) => row.id === id)
  return (
    <OpenedState key={id} state={state} noun="user" onClose={handleClose}>
      {(person) => (
        <EditUserDialog
          person={person}
          isSelf={id === user.id}
          onChanged={() => topic.refresh()}
          onClose={handleClose}
        />
      )}
    </OpenedState>
  )
}
