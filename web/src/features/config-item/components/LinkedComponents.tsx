import { Cross, Link as LinkIcon } from '@blueprintjs/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ConfigDetail } from '@watchroom/shared/catalog'
import { useState } from 'react'

import { unlinkConfig } from '../../../api/configLinks.ts'
import { configItemKeys } from '../../../api/queryKeys.ts'
import { useSession } from '../../../api/session.tsx'
import { useMayRead } from '../../../api/useMayRead.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { DeleteConfigLink } from '../../../ui/config/DeleteConfigLink.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { type LinkedComponent, linkedComponentsQuery } from '../queries.ts'
import { LinkToComponentDialog } from './LinkToComponentDialog.tsx'

import styles from '../configItem.module.css'

const nameOf = ({ components, component_id: id }: LinkedComponent): string => components?.name || id

/** Components that the item belongs to. Manual links can be removed. */
export function LinkedComponents({ item }: { item: Pick<ConfigDetail, 'id' | 'name'> }) {
  const { can } = useSession()
  const queryClient = useQueryClient()
  const isThere = useMayRead()('topologies', 'topology')
  const query = useQuery({ ...linkedComponentsQuery(item.id), enabled: isThere })
  const [isLinking, setLinking] = useState(false)
  const [leaving, setLeaving] = useState<LinkedComponent | null>(null)
  if (!isThere) return null
  const mayWrite = can('write', 'database')
  return (
    <>
      <h2>Components</h2>
      <QueryStates query={query} what="components">
        {(links) =>
          links.length === 0 ? (
            <p className="wr-muted">No component is linked to this item.</p>
          ) : (
            <ul className={styles['components']} aria-label="Components">
              {links.map((link) => (
                <li key={link.component_id}>
                  <Link to="/topology/$id" params={{ id: link.component_id }}>
                    {nameOf(link)}
                  </Link>
                  {mayWrite && link.selector_id === 'manual' ? (
                    <IconButton
                      size="small"
                      icon={<Cross size={12} />}
                      label={`Delete config link to ${nameOf(link)}`}
                      onClick={() => setLeaving(link)}
                    />
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </QueryStates>
      {mayWrite ? (
        <CommandButton
          size="small"
          variant="outlined"
          icon={<LinkIcon size={12} />}
          command="Link to…"
          onClick={() => setLinking(true)}
        />
      ) : null}
      {isLinking ? <LinkToComponentDialog item={item} onClose={() => setLinking(false)} /> : null}
      {leaving === null ? null : (
        <DeleteConfigLink
          configName={item.name ?? item.id}
          componentName={nameOf(leaving)}
          unlink={() => unlinkConfig(item.id, leaving.component_id)}
          onDeleted={() => queryClient.invalidateQueries({ queryKey: configItemKeys.components(item.id) })}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}
