import { Link } from '@tanstack/react-router'
import { type ConfigDetail, isStale, toConfigHealth } from '@watchroom/shared/catalog'

import { useServerNow } from '../../../ui/clock.tsx'
import { ConfigTypeIcon } from '../../../ui/config/ConfigTypeIcon.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { NamedConfig } from '../queries.ts'

import styles from '../configItem.module.css'

interface ConfigStatusProps {
  item: ConfigDetail
  /** The items that this one belongs to, outermost first. */
  parents: readonly NamedConfig[]
}

/** Where the item belongs, how it is, and how old that is. */
export function ConfigStatus({ item, parents }: ConfigStatusProps) {
  return (
    <div className={styles['status']}>
      {parents.length === 0 ? null : (
        <nav className={styles['parents']} aria-label="Parents">
          {parents.map(({ id, name, type }) => (
            <Link key={id} to="/catalog/$id" params={{ id }} title={type ?? ''}>
              <ConfigTypeIcon type={type ?? ''} size={12} />
              {name ?? id}
            </Link>
          ))}
        </nav>
      )}
      <Health item={item} />
      <Updated item={item} />
    </div>
  )
}

/** A deleted item is neither healthy nor unhealthy. */
function Health({ item }: { item: ConfigDetail }) {
  const { deleted_at: deletedAt, delete_reason: reason, status, health } = item
  if (deletedAt) {
    return (
      <span>
        <span className={styles['health']}>
          <StatusGlyph status="deleted" word="Deleted" /> <TimeAgo at={deletedAt} />
        </span>
        {reason ? <span className="wr-muted">: {reason}</span> : null}
      </span>
    )
  }
  if (!health && !status) return null
  return (
    <span className={styles['health']}>
      <StatusGlyph status={toConfigHealth(health)} />
      {status ? <span className="wr-muted">{status}</span> : null}
    </span>
  )
}

function Updated({ item }: { item: ConfigDetail }) {
  const now = useServerNow()
  if (!item.updated_at) return null
  return (
    <span className="wr-muted">
      Updated <TimeAgo at={item.updated_at} />
      {isStale(item, now) ? (
        <span className={styles['stale']}>
          <StatusGlyph status="warning" word="Last scraped" /> <TimeAgo at={item.last_scraped_time} />
        </span>
      ) : null}
    </span>
  )
}
