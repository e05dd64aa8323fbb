import { useState } from 'react'
import { z } from 'zod'

import { personName, usePeople } from '../../api/people.ts'
import { FormDialog } from '../../ui/dialog/FormDialog.tsx'
import { CheckboxesField } from '../../ui/form/CheckboxesField.tsx'
import { REQUIRED_TEXT } from '../../ui/form/rules.ts'
import { useForm } from '../../ui/form/useForm.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { addMembers, type Member } from './queries.ts'

interface AddMembersDialogProps {
  teamId: string
  /** They are not offered. */
  members: readonly Member[]
  onAdded: (names: string[]) => void
  onClose: () => void
}

const PeopleSchema = z.object({ people: z.array(z.string()).min(1, REQUIRED_TEXT) })

/** Several people at once, found by name or address. */
export function AddMembersDialog({ teamId, members, onAdded, onClose }: AddMembersDialogProps) {
  const { present, nameOf } = usePeople()
  const [search, setSearch] = useState('')
  const form = useForm({
    schema: PeopleSchema,
    initial: { people: [] as string[] },
    save: ({ people }) => addMembers(teamId, people),
    onSaved: (_, { people }) => {
      onAdded(people.map((id) => nameOf(id) ?? id))
      onClose()
    },
  })
  const known = new Set(members.map(({ id }) => id))
  const wanted = search.trim().toLowerCase()
  // Who was chosen stays in sight, whatever is searched for.
  const offered = present.filter(
    (person) =>
      !known.has(person.id) &&
      (form.values.people.includes(person.id) ||
        `${person.name ?? ''} ${person.email ?? ''}`.toLowerCase().includes(wanted)),
  )
  return (
    <FormDialog form={form} title="Add members" action="Add to team" isQuick onClose={onClose}>
      <SearchInput value={search} onSearch={setSearch} placeholder="Search people" />
      {offered.length === 0 ? (
        <p className="wr-muted">{wanted === '' ? 'Everyone is a member.' : 'Nobody matches this name or address.'}</p>
      ) : (
        <CheckboxesField
          label="People"
          {...form.field('people')}
          groups={[
            {
              label: 'Not in the team',
              options: offered.map((person) => ({ value: person.id, label: personName(person) })),
            },
          ]}
        />
      )}
    </FormDialog>
  )
}
