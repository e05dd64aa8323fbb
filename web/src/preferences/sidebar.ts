import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

export const sidebarCollapsedAtom = storedAtom<boolean>('sidebarCollapsed', {
  schema: z.boolean(),
  version: 1,
  fallback: false,
})
