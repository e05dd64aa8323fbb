import type { ReactNode } from 'react'

/** What another feature shows of a spec before it is saved. @param id of the stored row; null for a new one */
export type RenderTrial = (specText: string, id: string | null) => ReactNode
