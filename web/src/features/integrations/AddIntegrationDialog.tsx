import { DialogBody } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import {
  INTEGRATION_TABLES,
  placeOf,
  SETTINGS_RESOURCES,
  type SettingsResource,
  type IntegrationType,
  settingsTexts,
} from '@watchroom/shared/settings'

import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { useSession } from '../../api/session.tsx'
import { SizedDialog } from '../../ui/SizedDialog.tsx'

import styles from './integrations.module.css'

const CHOICES: readonly { readonly title: string; readonly type: IntegrationType }[] = [
  { title: 'Custom Topology', type: 'topologies' },
  { title: 'Catalog Scraper', type: 'scrapers' },
  { title: 'Log Backends', type: 'logging_backends' },
]

/** What can be added here: each kind that is switched on and that the person may write, with its form. */
export function AddIntegrationDialog({ onClose }: { onClose: () => void }) {
  const disabled = useDisabledAreas()
  const { can } = useSession()
  const offered = CHOICES.map(({ title, type }) => ({
    title,
    definition: SETTINGS_RESOURCES[INTEGRATION_TABLES[type]],
  }))
    .filter(({ definition }) => !disabled.has(definition.area) && can('write', definition.resource))
    .filter(({ definition }) => definition.table !== 'logging_backends' || !disabled.has('logs'))
  return (
    <SizedDialog size="small" isOpen onClose={onClose} title="Add Integration">
      <DialogBody>
        <h3 className={styles['group']}>Add Directly</h3>
        {offered.length === 0 ? <p className="wr-muted">Your role may add none of them.</p> : null}
        <ul className={styles['choices']}>
          {offered.map(({ title, definition }) => (
            <li key={title}>
              <Link to={formOf(definition)}>
                <strong>{title}</strong>
                <span className="wr-muted">{settingsTexts(definition).purpose}</span>
              </Link>
            </li>
          ))}
        </ul>
      </DialogBody>
    </SizedDialog>
  )
}

const formOf = (definition: SettingsResource): string => `${placeOf(definition)}/new`
