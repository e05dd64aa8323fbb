import { SegmentedControl } from '@blueprintjs/core'

import { useSearchState } from '../../../url/useSearchState.ts'
import { type ChangeSearch, ChangeSearchSchema } from '../search.ts'

import styles from '../catalogChanges.module.css'

const VIEWS: readonly { value: ChangeSearch['view']; label: string }[] = [
  { value: 'list', label: 'List' },
  { value: 'lanes', label: 'Swimlane' },
  { value: 'versions', label: 'Versions' },
]

/** The same changes in other ways. @param hasVersions of one item */
export function ViewSwitch({ hasVersions = false }: { hasVersions?: boolean }) {
  const [{ view }, setSearch] = useSearchState(ChangeSearchSchema)
  const options = VIEWS.filter(({ value }) => hasVersions || value !== 'versions')
  return (
    <SegmentedControl
      aria-label="View"
      size="small"
      className={styles['views'] ?? ''}
      value={view}
      onValueChange={(next) => setSearch({ view: options.find(({ value }) => value === next)?.value ?? 'list' })}
      options={[...options]}
    />
  )
}
