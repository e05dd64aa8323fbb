import { mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  NewWallLinkSchema,
  ReleaseSchema,
  type WallBoard,
  type WallBoardInput,
  WallBoardSchema,
  WallBoardsSchema,
  type WallDevice,
  WallDeviceSchema,
  WallLinksSchema,
} from '@watchroom/shared/wall'
import { z } from 'zod'

import { wallKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

const PREFIX = '/gateway/wall'
/** A wall runs for months: a board renamed or changed by someone shows so before anyone wonders. */
const BOARDS_MS = 15_000

export const boardsQuery = queryOptions({
  queryKey: wallKeys.boards,
  queryFn: async ({ signal }) => (await request(`${PREFIX}/boards`, { schema: WallBoardsSchema, signal })).boards,
  staleTime: 0,
  refetchInterval: BOARDS_MS,
  refetchIntervalInBackground: true,
})

export const linksQuery = queryOptions({
  queryKey: wallKeys.links,
  queryFn: async ({ signal }) => (await request(`${PREFIX}/links`, { schema: WallLinksSchema, signal })).links,
  staleTime: 0,
  refetchInterval: BOARDS_MS,
})

const nothing = z.undefined()

/** @param id null: a new board */
export const saveBoard = (id: string | null, board: WallBoardInput): Promise<WallBoard> =>
  request(id === null ? `${PREFIX}/boards` : `${PREFIX}/boards/${id}`, {
    method: id === null ? 'POST' : 'PUT',
    body: board,
    schema: WallBoardSchema,
  })

export const removeBoardMutation = mutationOptions({
  mutationFn: (id: string) => request(`${PREFIX}/boards/${id}`, { method: 'DELETE', body: {}, schema: nothing }),
})

export type NewWallLink = z.output<typeof NewWallLinkSchema>

/** @returns the link with its token, which is not given again */
export const createLink = (boardId: string, body: { name: string; expiresAt: string | null }): Promise<NewWallLink> =>
  request(`${PREFIX}/boards/${boardId}/links`, { method: 'POST', body, schema: NewWallLinkSchema })

export const withdrawLinkMutation = mutationOptions({
  mutationFn: (id: string) => request(`${PREFIX}/links/${id}`, { method: 'DELETE', body: {}, schema: nothing }),
})

/** Lets this browser in by a link's token; its cookie then says who it is. */
export const enterDevice = (token: string): Promise<WallDevice> =>
  request(`${PREFIX}/device`, { method: 'POST', body: { token }, schema: WallDeviceSchema, unauthorized: 'caller' })

export const readDevice = (): Promise<WallDevice> =>
  request(`${PREFIX}/device`, { schema: WallDeviceSchema, unauthorized: 'caller' })

/** Build of the client that the gateway serves now. */
export const readBuild = async (): Promise<string | null> =>
  (await request('/gateway/release', { schema: ReleaseSchema, unauthorized: 'caller', timeoutMs: 10_000 })).build
