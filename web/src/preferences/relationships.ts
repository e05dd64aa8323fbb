import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

const viewAtom = storedAtom<'Table' | 'Graph'>('relationshipGraphTableToggle', {
  schema: z.enum(['Table', 'Graph']),
  version: 1,
  fallback: 'Table',
})

/** How this person looks at what is related to an item. */
export const useRelationshipView = () => useAtom(viewAtom)

/** How the graph is drawn. */
export interface GraphLooks {
  /** Left to right, or top to bottom. */
  readonly direction: 'LR' | 'TB'
  readonly edges: 'bezier' | 'smoothstep'
}

const looksAtom = storedAtom<GraphLooks>('graphDirection', {
  schema: z.object({ direction: z.enum(['LR', 'TB']), edges: z.enum(['bezier', 'smoothstep']) }),
  version: 1,
  fallback: { direction: 'LR', edges: 'bezier' },
})

export const useGraphLooks = () => useAtom(looksAtom)
