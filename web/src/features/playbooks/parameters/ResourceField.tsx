import { useQuery } from '@tanstack/react-query'
import type { TargetKind } from '@watchroom/shared/playbooks'
import type { ResourceSelector } from '@watchroom/shared/resources'
import { useState } from 'react'

import type { FieldProps } from '../../../ui/form/Field.tsx'
import { OPTION_LOOKUP_MS, PickField, type PickOption } from '../../../ui/form/PickField.tsx'
import { usePicked } from '../../../ui/form/usePicked.ts'
import { resourceNameQuery, resourcesQuery } from '../playbookQueries.ts'
import { TARGET_WORDS } from '../runParts.ts'

interface ResourceFieldProps extends FieldProps<string> {
  kind: TargetKind
  /** What is offered; none: everything, once something is typed. */
  selectors: readonly ResourceSelector[]
}

/** A config item, a component or a check. What is chosen already stands first, also where a search does not find it. */
export function ResourceField({ kind, selectors, ...field }: ResourceFieldProps) {
  const [search, setSearch] = useState('')
  const query = useQuery(resourcesQuery(kind, selectors, search))
  const found: PickOption[] = (query.data ?? []).map(({ id, name, type, namespace }) => ({
    id,
    label: name || id,
    detail: [type, namespace].filter(Boolean).join(' · '),
  }))
  const picked = usePicked(field, found)
  const chosen = useQuery({ ...resourceNameQuery({ kind, id: field.value }), enabled: !picked.isListed })
  const noun = TARGET_WORDS[kind].toLowerCase()
  return (
    <PickField
      {...field}
      {...picked.bind({ label: chosen.data?.name || '…' })}
      placeholder={`Search for ${noun}`}
      search={search}
      onSearch={setSearch}
      debounceMs={OPTION_LOOKUP_MS}
      query={query}
      emptyText={
        search.trim() === '' && selectors.length === 0 ? `Type the start of a name` : `No ${noun} matches this search`
      }
    />
  )
}
