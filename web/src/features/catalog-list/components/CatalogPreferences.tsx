import { Switch } from '@blueprintjs/core'
import { Settings } from '@blueprintjs/icons'

import { useDeletedConfigsHidden } from '../../../preferences/deletedConfigs.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { Popover } from '../../../ui/Popover.tsx'

import styles from '../catalogList.module.css'

/** How this browser shows the catalog. */
export function CatalogPreferences() {
  const [hidesDeleted, setHidesDeleted] = useDeletedConfigsHidden()
  return (
    <Popover
      placement="bottom-end"
      content={
        <div className={styles['preferences']}>
          <Switch
            label="Hide Deleted Catalog"
            checked={hidesDeleted === 'yes'}
            onChange={({ currentTarget }) => setHidesDeleted(currentTarget.checked ? 'yes' : 'no')}
          />
        </div>
      }
    >
      <CommandButton isIcon icon={<Settings />} command="Preferences" aria-haspopup="dialog" />
    </Popover>
  )
}
