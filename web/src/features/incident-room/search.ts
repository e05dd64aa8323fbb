import { z } from 'zod'

import { booleanField } from '../../url/searchFields.ts'

export const ROOM_TABS = ['comments', 'action-plan'] as const
export type RoomTab = (typeof ROOM_TABS)[number]

/** Sections of the side panel; `none` when all are closed. */
export const ROOM_PANELS = ['details', 'definition-of-done', 'changelog', 'none'] as const
export type RoomPanel = (typeof ROOM_PANELS)[number]

// A type, not an interface: only types are assignable to the index signature of `useSearchState`.
/** What a link into an incident carries. */
export type RoomSearch = {
  tab: RoomTab
  /** Whether comments and evidence of every hypothesis are open. */
  comments: boolean
  /** The open section of the side panel. */
  panel: RoomPanel
  /** Comment that the link is about. */
  comment?: string | undefined
}

export const RoomSearchSchema: z.ZodType<RoomSearch> = z.object({
  tab: z.enum(ROOM_TABS).catch('comments'),
  comments: booleanField(),
  panel: z.enum(ROOM_PANELS).catch('details'),
  comment: z.string().min(1).optional().catch(undefined),
})
