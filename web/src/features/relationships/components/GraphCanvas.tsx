import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'

import type { GraphLooks } from '../../../preferences/relationships.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { drawEdges } from '../graph/drawEdges.ts'
import { nextNode } from '../graph/nextNode.ts'
import type { DrawnGraph } from '../graph/useLayout.ts'
import { PADDING_PX as PADDING, useViewport } from '../graph/useViewport.ts'
import { isOpen, type Toggled } from '../graph/visibleGraph.ts'
import { GraphCard } from './GraphCard.tsx'
import { type GraphSearch, GraphToolbar } from './GraphToolbar.tsx'

import styles from '../relationships.module.css'

interface GraphCanvasProps {
  drawn: DrawnGraph
  rootId: string
  toggled: Toggled
  /** The card that a search led to. */
  shown: string | null
  /** Those that the search found. */
  found: readonly string[]
  search: GraphSearch
  looks: GraphLooks
  onLooks: (looks: GraphLooks) => void
  onToggle: (id: string) => void
  onMore: () => void
}

/** The graph in a window that scrolls over it: only the cards near the window are in the document. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { drawn, rootId, toggled, shown, found, looks, onToggle } = props
  const { nodes, edges, hidden } = drawn.graph
  const box = useRef<HTMLDivElement>(null)
  const helpId = useId()
  const navigate = useNavigate()
  const viewport = useViewport(box, drawn)
  const { holds } = viewport
  const [chosen, setActive] = useState(rootId)
  const placed = useMemo(
    () => nodes.map((node, index) => ({ node, id: node.id, place: drawn.places[index] ?? { x: 0, y: 0 } })),
    [nodes, drawn.places],
  )
  const byId = useMemo(() => new Map(placed.map((card) => [card.id, card])), [placed])
  // A filter or someone's edit may remove the selected card, but the keyboard needs a card to start from.
  const active = [chosen, rootId].find((id) => byId.has(id)) ?? placed[0]?.id
  const lines = useMemo(() => {
    const ends = edges.flatMap(([from, to]) => {
      const [one, other] = [byId.get(from), byId.get(to)]
      return one && other && holds(one.place, other.place) ? [[one.place, other.place] as const] : []
    })
    return drawEdges(ends, { direction: drawn.direction, edges: looks.edges })
    // oxlint-disable-next-line react/exhaustive-deps -- `part` and `scale` stand for `holds`
  }, [edges, byId, drawn.direction, looks.edges, viewport.part, viewport.scale])

  const begin = useLatest(viewport.begin)
  useLayoutEffect(() => begin(), [begin])
  const goTo = useLatest((id: string, hasFocus: boolean) => {
    setActive(id)
    requestAnimationFrame(() => {
      const place = byId.get(id)?.place
      if (place === undefined) return
      viewport.center(place)
      if (!hasFocus) return
      box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
    })
  })
  // The item itself stands in the middle at first, and what a search leads to when it does.
  useEffect(() => goTo(shown ?? rootId, false), [goTo, shown, rootId])

  const handleKeyDown = (event: KeyboardEvent): void => {
    if (active === undefined) return
    const next = nextNode({ key: event.key, from: active, nodes: placed, edges, direction: drawn.direction })
    if (next === null || event.target === box.current) return
    event.preventDefault()
    goTo(next, true)
  }
  const open = useLatest((id: string) => void navigate({ to: '/catalog/$id', params: { id } }))
  const toggle = useLatest(onToggle)
  const isFound = new Set(found)
  const { scale } = viewport
  return (
    <section className={styles['graph']} aria-label="Graph of relationships" aria-describedby={helpId}>
      <GraphToolbar
        search={props.search}
        found={found.length}
        looks={looks}
        onLooks={props.onLooks}
        onZoom={viewport.zoom}
        onFit={viewport.fit}
      />
      <p id={helpId} className="wr-visually-hidden">
        Arrow keys move between cards along the edges, Enter opens one. The table shows the same data.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a mouse drags what keys and wheels scroll */}
      <div
        ref={box}
        className={styles['canvas']}
        onScroll={viewport.onScroll}
        onKeyDown={handleKeyDown}
        onPointerDown={viewport.onPointerDown}
        onPointerMove={viewport.onPointerMove}
        onPointerUp={viewport.onPointerUp}
      >
        <div
          className={styles['space']}
          style={{ width: drawn.width * scale + 2 * PADDING, height: drawn.height * scale + 2 * PADDING }}
        >
          <div
            className={styles['cards']}
            style={{ transform: `translate(${PADDING}px, ${PADDING}px) scale(${scale})` }}
          >
            <svg className={styles['edges']} width={drawn.width} height={drawn.height} aria-hidden>
              <path className={styles['edge']} d={lines.lines} />
              <path className={styles['arrow']} d={lines.arrows} />
            </svg>
            {placed.map(({ id, node, place }) =>
              holds(place) || id === active ? (
                <GraphCard
                  key={id}
                  node={node}
                  x={place.x}
                  y={place.y}
                  isRoot={id === rootId}
                  isOpen={isOpen(node, toggled)}
                  isFound={isFound.has(id)}
                  isActive={id === active}
                  onFocus={setActive}
                  onToggle={toggle}
                  onOpen={open}
                />
              ) : null,
            )}
          </div>
        </div>
      </div>
      {hidden === 0 ? null : (
        <p className={styles['hidden']}>
          +{hidden.toLocaleString()} hidden,{' '}
          <CommandButton
            size="small"
            variant="minimal"
            command="Show hidden items"
            text="show"
            onClick={props.onMore}
          />
        </p>
      )}
    </section>
  )
}
