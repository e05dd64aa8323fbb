import { Cross } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import type { Component } from '@watchroom/shared/topology'
import { type ReactNode, useState } from 'react'

import { unlinkConfig } from '../../../api/configLinks.ts'
import { useSession } from '../../../api/session.tsx'
import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { ConfigLink as LinkToConfig } from '../../../ui/config/ConfigLink.tsx'
import { DeleteConfigLink } from '../../../ui/config/DeleteConfigLink.tsx'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { titleOf } from '../components/ComponentCard.tsx'
import { type ConfigLink, configLinkTable } from './tables.ts'

import styles from './panel.module.css'

interface CatalogSectionProps {
  component: Component
  renderLinkToCatalog: (component: Component) => ReactNode
}

const nameOf = ({ configs, config_id: id }: ConfigLink): string => configs?.name || id

/** Config items that the component stands for. Manual links can be removed. */
export function CatalogSection({ component, renderLinkToCatalog }: CatalogSectionProps) {
  const queryClient = useQueryClient()
  const mayWrite = useSession().can('write', 'database')
  const [leaving, setLeaving] = useState<ConfigLink | null>(null)
  const found = useEndlessRows(
    configLinkTable,
    { filters: [`component_id=eq.${component.id}`], order: { by: 'created_at', direction: 'desc' } },
    'config items',
  )
  useOnChange([component], found.onStale)
  return (
    <>
      <EndlessSection
        name="catalog"
        title="Catalog"
        found={found}
        keyOf={configLinkTable.keyOf}
        empty="No config item is linked to this component."
        renderRow={(link) => (
          <div className={styles['row']}>
            <LinkToConfig config={link.configs ?? { id: link.config_id }} />
            {mayWrite && link.selector_id === 'manual' ? (
              <IconButton
                size="small"
                icon={<Cross size={12} />}
                label={`Delete config link to ${nameOf(link)}`}
                onClick={() => setLeaving(link)}
              />
            ) : null}
          </div>
        )}
      >
        {mayWrite ? renderLinkToCatalog(component) : null}
      </EndlessSection>
      {leaving === null ? null : (
        <DeleteConfigLink
          configName={nameOf(leaving)}
          componentName={titleOf(component)}
          unlink={() => unlinkConfig(leaving.config_id, component.id)}
          onDeleted={() => configLinkTable.invalidate(queryClient)}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}
