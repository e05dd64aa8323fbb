import { Tag } from '@blueprintjs/core'
import { fullNameOf, type Person } from '@watchroom/shared/people'

import type { CellKind, TableColumn } from '../../../ui/table/column.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { UserSortKey } from '../search.ts'

import styles from '../users.module.css'

type UserColumn = TableColumn<Person> & { readonly key: UserSortKey }

const column = (key: Exclude<UserSortKey, 'name'>, title: string, kind: CellKind): UserColumn => ({
  key,
  title,
  kind,
  isSortable: true,
  value: (person) => person[key],
})

const STATE_WORDS = { active: 'Active', inactive: 'Deactivated', invited: 'Invited' } as const

function State({ person }: { person: Person }) {
  return (
    <span className={styles['state']}>
      <Tag minimal>{STATE_WORDS[person.state]}</Tag>
      {person.state === 'invited' ? (
        person.invitedUntil === null ? (
          <span className="wr-muted">link expired</span>
        ) : (
          <span className="wr-muted">
            ends <TimeAgo at={person.invitedUntil} />
          </span>
        )
      ) : null}
    </span>
  )
}

function UnprovedAddress({ person }: { person: Person }) {
  return (
    <span className={styles['state']}>
      {person.email}
      <Tag minimal>Not proved</Tag>
    </span>
  )
}

export const USER_COLUMNS: readonly UserColumn[] = [
  { key: 'name', title: 'Name', kind: 'person', isSortable: true, isMain: true, value: fullNameOf },
  {
    ...column('email', 'Email', 'text'),
    render: (person) => (person.isAddressUnproved ? <UnprovedAddress person={person} /> : null),
  },
  column('role', 'Role', 'text'),
  { ...column('state', 'State', 'text'), render: (person) => <State person={person} /> },
  column('lastSeenAt', 'Last seen', 'time'),
  column('createdAt', 'Created', 'time'),
]
