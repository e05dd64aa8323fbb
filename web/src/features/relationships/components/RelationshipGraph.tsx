import type { RelatedConfig } from '@watchroom/shared/catalog'
import { useDeferredValue, useMemo, useState } from 'react'

import { useGraphLooks } from '../../../preferences/relationships.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { findNodes } from '../graph/findNodes.ts'
import { type Graph, toGraph } from '../graph/toGraph.ts'
import { useLayout } from '../graph/useLayout.ts'
import { findCover, isOpen, type Toggled, toVisibleGraph } from '../graph/visibleGraph.ts'
import { GraphCanvas } from './GraphCanvas.tsx'

/** Nobody reads more than this, and browsers become slow. */
const MAX_DRAWN = 500

interface RelationshipGraphProps {
  rows: readonly RelatedConfig[]
  /** The item that the others are related to. */
  rootId: string
}

/**
 * What is related to an item, as a graph with large groups folded. The table shows the same. Two thousand items take a while, so the
 * page renders first, and typing stays responsive.
 */
export function RelationshipGraph({ rows, rootId }: RelationshipGraphProps) {
  const settled = useDeferredValue<readonly RelatedConfig[] | null>(rows, null)
  const graph = useMemo(() => settled && toGraph(settled), [settled])
  return graph ? <FoldedGraph rows={rows} graph={graph} rootId={rootId} /> : <Drawing />
}

const Drawing = () => <LoadingSkeleton rows={8} label="Drawing the graph" />

function FoldedGraph({ rows, graph, rootId }: RelationshipGraphProps & { graph: Graph }) {
  const [looks, setLooks] = useGraphLooks()
  const [toggled, setToggled] = useState<Toggled>(new Map())
  const [limit, setLimit] = useState(MAX_DRAWN)
  const [shown, setShown] = useState<string | null>(null)
  const [text, setText] = useState('')
  const visible = useMemo(
    () => toVisibleGraph(graph, { rootId, toggled, limit, kept: shown }),
    [graph, rootId, toggled, limit, shown],
  )
  const found = useMemo(() => findNodes(rows, text), [rows, text])
  const { drawn, hasFailed } = useLayout(visible, looks.direction)

  const showNext = (): void => {
    const next = found[(found.indexOf(shown ?? '') + 1) % found.length]
    if (next === undefined) return
    const cover = findCover(graph, next, new Set(visible.nodes.map(({ id }) => id)))
    if (cover.length > 0) setToggled(new Map([...toggled, ...cover.map((id) => [id, true] as const)]))
    setShown(next)
  }
  if (hasFailed) return <ErrorState title="The graph could not be drawn" message="The table shows the same data." />
  if (drawn === null) return <Drawing />
  return (
    <GraphCanvas
      key={drawn.direction}
      drawn={drawn}
      rootId={rootId}
      toggled={toggled}
      shown={shown}
      found={found}
      search={{ text, onSearch: setText, onNext: showNext }}
      onMore={() => setLimit(limit + MAX_DRAWN)}
      onToggle={(id) => {
        const node = graph.get(id)
        if (node) setToggled(new Map([...toggled, [id, !isOpen(node, toggled)]]))
      }}
      looks={looks}
      onLooks={setLooks}
    />
  )
}
