import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

const hiddenAtom = storedAtom<'yes' | 'no'>('areDeletedConfigsHidden', {
  schema: z.enum(['yes', 'no']),
  version: 1,
  fallback: 'yes',
})

/** Whether lists of the catalog leave out what was deleted: `Hide Deleted Catalog`, third specification, section 2. */
export const useDeletedConfigsHidden = () => useAtom(hiddenAtom)
