import { startTransition, useEffect, useState } from 'react'

import type { GraphLooks } from '../../../preferences/relationships.ts'
import type { Layout } from './layout.ts'
import type { VisibleGraph } from './visibleGraph.ts'

/** A graph with the places of its cards. */
export interface DrawnGraph extends Layout {
  readonly graph: VisibleGraph
  readonly direction: GraphLooks['direction']
}

const startWorker = (): Worker => new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })

/** Started before there is anything to lay out. */
let prepared: Worker | null = null

/** @returns what gives it up again */
export function prepareLayout(): () => void {
  prepared ??= startWorker()
  return () => {
    prepared?.terminate()
    prepared = null
  }
}

/** Lays a graph out beside the page. The one before stays until it is done. */
export function useLayout(graph: VisibleGraph, direction: GraphLooks['direction']) {
  const [drawn, setDrawn] = useState<DrawnGraph | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const worker = prepared ?? startWorker()
    prepared = null
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => {
      startTransition(() => {
        setFailed(false)
        setDrawn({ ...data, graph, direction })
      })
      worker.terminate()
    })
    worker.addEventListener('error', () => setFailed(true))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page, and no origin to name
    worker.postMessage({ ids: graph.nodes.map(({ id }) => id), edges: graph.edges, direction })
    return () => worker.terminate()
  }, [graph, direction])
  return { drawn, hasFailed }
}
