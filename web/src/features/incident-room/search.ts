import { z } from 'zod'

import { booleanField } from '../../url/searchFields.ts'

export const ROOM_TABS = ['comments', 'action-plan'] as const
export type RoomTab = (typeof ROOM_TABS)[number]

/** Sections of the side panel; `none` when all are closed. */
export const ROOM_PANELS = ['details', 'definition-of-done', 'changelog', 'none'] as const
export type RoomPanel = (typeof ROOM_PANELS)[number]

/** What a link into an incident carries. */
export const RoomSearchSchema = z.object({
  tab: z.enum(ROOM_TABS).catch('comments'),
  /** Whether comments and evidence of every hypothesis are open. */
  comments: booleanField(),
  /** The open section of the side panel. */
  panel: z.enum(ROOM_PANELS).catch('details'),
  /** Comment that the link is about. */
  comment: z.string().min(1).optional().catch(undefined),
})
export type RoomSearch = z.infer<typeof RoomSearchSchema>
