import { Plus, Trash } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { useState } from 'react'

import { useSession } from '../../api/session.tsx'
import { ConfirmMutation } from '../../ui/dialog/ConfirmMutation.tsx'
import { toQueryState } from '../../ui/QueryStates.tsx'
import type { TableColumn } from '../../ui/table/column.ts'
import { ResourceTable } from '../../ui/table/ResourceTable.tsx'
import type { RowAction } from '../../ui/table/RowActions.tsx'
import { showToast } from '../../ui/toaster.ts'
import { AddMembersDialog } from './AddMembersDialog.tsx'
import { type Member, membersQuery, POLL_MS, removeMember, toName } from './queries.ts'

interface TeamMembersProps {
  team: { readonly id: string; readonly name: string; readonly deleted_at?: string | null | undefined }
}

const COLUMNS: readonly TableColumn<Member>[] = [
  { key: 'name', title: 'Name', kind: 'person', isMain: true, value: toName },
  { key: 'email', title: 'Email', kind: 'text', value: ({ email }) => email },
]
const keyOf = ({ id }: Member): string => id

/** Who is in a team; whoever may write adds people and removes them. */
export function TeamMembers({ team }: TeamMembersProps) {
  const query = useQuery({ ...membersQuery(team.id), refetchInterval: POLL_MS })
  const queryClient = useQueryClient()
  const { resource, object } = SETTINGS_RESOURCES.teams
  const mayWrite = useSession().can('write', resource, object) && !team.deleted_at
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Member | null>(null)
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: membersQuery(team.id).queryKey })
  const remove = useMutation({
    mutationFn: ({ id }: Member) => removeMember(team.id, id),
    onSuccess: async (_, member) => {
      setLeaving(null)
      showToast(`${toName(member)} removed from team successfully`)
      await refresh()
    },
  })
  const actionsOf = (member: Member): readonly RowAction[] => [
    { text: 'Remove from team', icon: <Trash />, isDestructive: true, onSelect: () => setLeaving(member) },
  ]
  return (
    <>
      <ResourceTable
        name="team-members"
        label="Members"
        place="part"
        state={toQueryState(query, 'members')}
        columns={COLUMNS}
        keyOf={keyOf}
        {...(mayWrite ? { rowActions: actionsOf } : {})}
        toolbar={{
          add: mayWrite ? { text: 'Add members', icon: <Plus />, onAdd: () => setAdding(true) } : null,
        }}
        empty={{ title: 'No members yet', text: 'Members are notified about everything the team owns.' }}
      />
      {isAdding ? (
        <AddMembersDialog
          teamId={team.id}
          members={query.data ?? []}
          onAdded={(names) => {
            showToast(`${names.join(', ')} added to the team successfully`)
            void refresh()
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {leaving ? (
        <ConfirmMutation
          title={`Remove ${toName(leaving)} from ${team.name}?`}
          action="Remove from team"
          mutation={remove}
          onCancel={() => setLeaving(null)}
          onConfirm={() => remove.mutate(leaving)}
        >
          They stay in their other teams and are no longer notified about what this one owns.
        </ConfirmMutation>
      ) : null}
    </>
  )
}
