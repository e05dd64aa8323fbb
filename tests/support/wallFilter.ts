import { type WallFilter, WallFilterSchema } from '@watchroom/shared/wall'

export const EVERYTHING: WallFilter = Object.freeze(WallFilterSchema.parse({}))
