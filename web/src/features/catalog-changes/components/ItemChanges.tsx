import { Button, Switch } from '@blueprintjs/core'
import { Settings } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { useDeletedChangesHidden } from '../../../preferences/configChanges.ts'
import { Popover } from '../../../ui/Popover.tsx'
import type { ToolbarFilter } from '../../../ui/table/ResourceToolbar.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ChangeSearchSchema } from '../search.ts'
import { type Changes, useChanges } from '../useChanges.ts'
import { type ChangeForActions, ChangesTable } from './ChangesTable.tsx'
import { ItemVersions } from './ItemVersions.tsx'
import { ViewSwitch } from './ViewSwitch.tsx'

import styles from '../catalogChanges.module.css'

interface ItemChangesProps {
  configId: string
  renderActions: (change: ChangeForActions) => ReactNode
}

/** The tab Changes of an item: what changed, or what it looked like. */
export function ItemChanges(props: ItemChangesProps) {
  const [{ view }] = useSearchState(ChangeSearchSchema)
  return (
    <>
      <ViewSwitch hasVersions />
      {view === 'versions' ? <ItemVersions configId={props.configId} /> : <Listed {...props} />}
    </>
  )
}

/** Changes of the item, of its parts, and of what it is part of. */
function Listed({ configId, renderActions }: ItemChangesProps) {
  const [hidden, setHidden] = useDeletedChangesHidden()
  const areDeletedHidden = hidden === 'yes'
  const changes = useChanges({ configId, areDeletedHidden })
  return (
    <ChangesTable
      changes={changes}
      renderActions={renderActions}
      filters={[
        ...toRelativeFilters(changes),
        {
          kind: 'own',
          key: 'deleted',
          title: 'Deleted items',
          value: areDeletedHidden ? 'hidden' : 'shown',
          control: (
            <Preferences
              key="deleted"
              areDeletedHidden={areDeletedHidden}
              onHide={(isHidden) => setHidden(isHidden ? 'yes' : 'no')}
            />
          ),
        },
      ]}
    />
  )
}

const toRelativeFilters = ({ search, setSearch }: Changes): ToolbarFilter[] =>
  (['downstream', 'upstream'] as const).map((key) => {
    const title = key === 'downstream' ? 'Downstream' : 'Upstream'
    return {
      kind: 'own',
      key,
      title,
      value: search[key] ? 'on' : 'off',
      control: (
        <Switch
          key={key}
          className={styles['toggle'] ?? ''}
          label={title}
          checked={search[key]}
          onChange={({ currentTarget }) => setSearch({ [key]: currentTarget.checked, page: 1 })}
        />
      ),
    }
  })

interface PreferencesProps {
  areDeletedHidden: boolean
  onHide: (isHidden: boolean) => void
}

function Preferences({ areDeletedHidden, onHide }: PreferencesProps) {
  return (
    <Popover
      placement="bottom-start"
      content={
        <div className={styles['preferences']}>
          <Switch
            label="Hide Deleted Config Changes"
            checked={areDeletedHidden}
            onChange={({ currentTarget }) => onHide(currentTarget.checked)}
          />
        </div>
      }
    >
      <Button variant="outlined" icon={<Settings />} text="Preferences" aria-haspopup="dialog" />
    </Popover>
  )
}
