export {
  NewWallLinkSchema,
  ReleaseSchema,
  type WallBoard,
  type WallBoardInput,
  WallBoardInputSchema,
  WallBoardSchema,
  WallBoardsSchema,
  type WallDevice,
  WallDeviceSchema,
  type WallLink,
  type WallLinkInput,
  WallLinkInputSchema,
  WallLinksSchema,
} from './board.ts'
export { matchesFilter, toNamespace, type WallFilter, WallFilterSchema } from './filter.ts'
