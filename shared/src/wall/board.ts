import { z } from 'zod'

import { type GroupBy, tryParseGroupBy } from '../health/index.ts'
import { isStorable, isStorableValue } from '../kernel/index.ts'
import { WallFilterSchema } from './filter.ts'

const MAX_NAME_CHARACTERS = 80

const UNSTORABLE = 'Contains characters that are not allowed'

const name = z.string().trim().min(1, 'This field is required').max(MAX_NAME_CHARACTERS).refine(isStorable, UNSTORABLE)
const filter = WallFilterSchema.refine(isStorableValue, UNSTORABLE)
const time = z.iso.datetime({ offset: true })
/** Of a year that every table has, whatever the zone it is told in. */
const moment = time
  .refine((text) => isYear(new Date(text).getUTCFullYear()), 'Must be between the years 1 and 9999')
  .transform((text) => new Date(text).toISOString())
const isYear = (year: number): boolean => year >= 1 && year <= 9_999
const groupBy = z
  .string()
  .transform((text) => tryParseGroupBy(text) ?? 'no-group')
  .default('no-group' satisfies GroupBy)

/** What a person says of a wallboard they save. */
export const WallBoardInputSchema = z.strictObject({ name, filter, groupBy })
export type WallBoardInput = z.infer<typeof WallBoardInputSchema>

export const WallBoardSchema = z.object({ id: z.guid(), name: z.string(), filter: WallFilterSchema, groupBy })
export type WallBoard = z.infer<typeof WallBoardSchema>
export const WallBoardsSchema = z.object({ boards: z.array(WallBoardSchema) })

/** A link by which a screen without an account shows one board. */
export const WallLinkInputSchema = z.strictObject({
  /** Name of the device. */
  name,
  expiresAt: moment.nullish().transform((at) => at ?? null),
})
export type WallLinkInput = z.infer<typeof WallLinkInputSchema>

export const WallLinkSchema = z.object({
  id: z.guid(),
  boardId: z.guid(),
  name: z.string(),
  state: z.enum(['active', 'expired', 'withdrawn']),
  createdBy: z.string(),
  createdAt: time,
  expiresAt: time.nullable(),
  /** When a screen that came by this link was last connected. */
  lastSeenAt: time.nullable(),
})
export type WallLink = z.infer<typeof WallLinkSchema>
export const WallLinksSchema = z.object({ links: z.array(WallLinkSchema) })

/** The one answer that ever holds the token. */
export const NewWallLinkSchema = z.object({ link: WallLinkSchema, token: z.string() })

/** What a screen gets to know of itself. */
export const WallDeviceSchema = z.object({ name: z.string(), board: WallBoardSchema })
export type WallDevice = z.infer<typeof WallDeviceSchema>

/** Names a build of the web client: the address of its first script, which changes with every file of the client. */
export const ReleaseSchema = z.object({ build: z.string().nullable() })
