import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

const hiddenAtom = storedAtom<'yes' | 'no'>('areDeletedConfigChangesHidden', {
  schema: z.enum(['yes', 'no']),
  version: 1,
  fallback: 'yes',
})

/** Whether the changes of an item leave out those of deleted items. */
export const useDeletedChangesHidden = () => useAtom(hiddenAtom)

const layoutAtom = storedAtom<'unified' | 'sides'>('configChangeLayout', {
  schema: z.enum(['unified', 'sides']),
  version: 1,
  fallback: 'unified',
})

/** How this person views diffs of changes. */
export const useDiffLayout = () => useAtom(layoutAtom)
