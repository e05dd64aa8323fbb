import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { countChanges, formatCount, MANY_CHANGES, toConfigHealth, toTypeWords } from '@watchroom/shared/catalog'
import { memo, type MouseEvent } from 'react'

import { ConfigTypeIcon } from '../../../ui/config/ConfigTypeIcon.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { GraphNode } from '../graph/toGraph.ts'

import styles from '../relationships.module.css'

interface GraphCardProps {
  node: GraphNode
  x: number
  y: number
  isRoot: boolean
  /** Of a group. */
  isOpen: boolean
  isFound: boolean
  /** The one card that Tab reaches. */
  isActive: boolean
  onFocus: (id: string) => void
  onToggle: (id: string) => void
  onOpen: (id: string) => void
}

/** An item, or a group of items of one type. */
export const GraphCard = memo(function GraphCard({
  node,
  x,
  y,
  isRoot,
  isOpen,
  isFound,
  isActive,
  ...on
}: GraphCardProps) {
  const shared = {
    'data-node': node.id,
    'data-found': isFound || undefined,
    tabIndex: isActive ? 0 : -1,
    style: { transform: `translate(${x}px, ${y}px)` },
    onFocus: () => on.onFocus(node.id),
  }
  if (node.kind === 'group') {
    return (
      <button
        type="button"
        {...shared}
        className={styles['group']}
        aria-expanded={isOpen}
        onClick={() => on.onToggle(node.id)}
      >
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        <ConfigTypeIcon type={node.type} />
        <span className={styles['count']}>{formatCount(node.children.length)}</span>
        <span className={styles['cut']}>{toTypeWords(node.type)}</span>
      </button>
    )
  }
  return (
    <a
      {...shared}
      href={`/catalog/${node.id}`}
      className={styles['card']}
      data-health={node.config.deleted_at ? 'deleted' : toConfigHealth(node.config.health)}
      aria-current={isRoot || undefined}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        on.onOpen(node.id)
      }}
    >
      <CardContent node={node} />
    </a>
  )
})

function CardContent({ node: { config } }: { node: Extract<GraphNode, { kind: 'config' }> }) {
  const changes = countChanges(config)
  const { name, type, status, health, tags, deleted_at: deletedAt } = config
  const places = [tags?.['namespace'], tags?.['cluster']].filter(Boolean)
  return (
    <>
      <span className={styles['name']}>
        <ConfigTypeIcon type={type} />
        <span className={styles['cut']}>{name ?? config.id}</span>
      </span>
      <span className={styles['line']}>
        {deletedAt ? (
          <StatusGlyph status="deleted" size={12} />
        ) : (
          <StatusGlyph status={toConfigHealth(health)} word={status || undefined} size={12} />
        )}
        {changes === 0 ? null : (
          <span className={styles['changes']} data-many={changes >= MANY_CHANGES || undefined}>
            {formatCount(changes)} {changes === 1 ? 'change' : 'changes'}
          </span>
        )}
      </span>
      <span className={styles['line']}>
        <span className={`wr-muted ${styles['cut']}`}>{toTypeWords(type)}</span>
        {places.length === 0 ? null : <span className={`${styles['tag']} ${styles['cut']}`}>{places.join(' · ')}</span>}
      </span>
    </>
  )
}
