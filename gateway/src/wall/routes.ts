// The wall's own HTTP routes.

import { mayUseRoute, WALL_ROUTES } from '@watchroom/shared/access'
import { checksTopic } from '@watchroom/shared/protocol'
import {
  NewWallLinkSchema,
  WallBoardInputSchema,
  WallBoardSchema,
  WallBoardsSchema,
  type WallDevice,
  WallDeviceSchema,
  WallLinkInputSchema,
  WallLinksSchema,
} from '@watchroom/shared/wall'
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'

import type { Identity, Sights } from '../access/contract.ts'
import { CodedError } from '../platform/errors.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import type { RequestFault } from '../platform/http/requestFault.ts'
import type { Makers } from './createMakers.ts'
import type { FoundDevice, WallStore } from './createWallStore.ts'
import { requireActive } from './createWallStore.ts'
import { readDeviceSecret, toDeviceCookies } from './deviceCookie.ts'
import { wallErrors } from './errors.ts'

/** A board with fifty labels is a tenth of this. */
const MAX_BODY_BYTES = 65_536

const IdSchema = z.object({ id: z.guid() })
const TokenSchema = z.strictObject({ token: z.string().min(1).max(200) })

export interface WallRoutesDeps {
  readonly store: WallStore
  readonly makers: Makers
  readonly sights: Pick<Sights, 'showsAll'>
  readonly createId: () => string
  /** 256 random bits as text that a link and a cookie can carry. */
  readonly createSecret: () => string
  /** Something was written: boards are read again. */
  readonly onWrite: () => Promise<void>
  readonly policy: RoutePolicy<Identity>
  /** Route options of the post that takes a token: attempts are counted. */
  readonly enterRoute: RouteShorthandOptions
}

const defineRoute = createDefineRoute<Identity>()

export async function wallRoutes(app: FastifyInstance, deps: WallRoutesDeps): Promise<void> {
  const { makers, sights, store } = deps

  /** @throws CodedError WALL_RIGHTS_UNREADABLE, WALL_RIGHTS_SCOPED when what the link shows could not follow who makes it */
  const requireFollowable = async (request: FastifyRequest, { userId }: Identity): Promise<void> => {
    const isReadable = await makers.mayShow(userId).catch(() => false)
    if (!isReadable) throw new CodedError(wallErrors.WALL_RIGHTS_UNREADABLE)
    const sources = [checksTopic.source({}), ...(checksTopic.quotes ?? [])] as const
    if (!(await sights.showsAll(request.headers, userId, sources))) {
      throw new CodedError(wallErrors.WALL_RIGHTS_SCOPED)
    }
  }

  const describe = async (device: FoundDevice): Promise<WallDevice> => {
    if (!(await makers.mayShow(device.makerId))) throw new CodedError(wallErrors.WALL_LINK_MAKER_GONE)
    const board = (await store.boards()).find(({ id }) => id === device.boardId)
    if (!board) throw new CodedError(wallErrors.WALL_BOARD_UNKNOWN)
    return { name: device.linkName, board }
  }

  const routes = {
    listBoards: defineRoute({
      rule: WALL_ROUTES.listBoards,
      response: WallBoardsSchema,
      handle: async () => ({ boards: await store.boards() }),
    }),
    createBoard: defineRoute({
      rule: WALL_ROUTES.createBoard,
      body: WallBoardInputSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 201,
      response: WallBoardSchema,
      handle: async ({ body, caller }) => {
        const board = await store.createBoard(deps.createId(), body, toAuthor(caller))
        await deps.onWrite()
        return board
      },
    }),
    changeBoard: defineRoute({
      rule: WALL_ROUTES.changeBoard,
      params: IdSchema,
      body: WallBoardInputSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      response: WallBoardSchema,
      handle: async ({ params, body, caller }) => {
        const board = await store.changeBoard(params.id, body, mayUseRoute(WALL_ROUTES.createLink.access, caller.roles))
        await deps.onWrite()
        return board
      },
    }),
    removeBoard: defineRoute({
      rule: WALL_ROUTES.removeBoard,
      params: IdSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'empty',
      handle: async ({ params }) => {
        await store.removeBoard(params.id)
        await deps.onWrite()
      },
    }),

    listLinks: defineRoute({
      rule: WALL_ROUTES.listLinks,
      response: WallLinksSchema,
      handle: async () => ({ links: await store.links() }),
    }),
    createLink: defineRoute({
      rule: WALL_ROUTES.createLink,
      params: IdSchema,
      body: WallLinkInputSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 201,
      response: NewWallLinkSchema,
      handle: async ({ params, body, caller, request }) => {
        await requireFollowable(request, caller)
        const token = deps.createSecret()
        const ids = { id: deps.createId(), boardId: params.id }
        return { link: await store.createLink({ ...ids, token, ...body }, toAuthor(caller)), token }
      },
    }),
    withdrawLink: defineRoute({
      rule: WALL_ROUTES.withdrawLink,
      params: IdSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      response: 'empty',
      handle: async ({ params }) => {
        await store.withdrawLink(params.id)
        await deps.onWrite()
      },
    }),

    enterDevice: defineRoute({
      rule: WALL_ROUTES.enterDevice,
      options: deps.enterRoute,
      body: TokenSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      response: WallDeviceSchema,
      handle: async ({ body, request, reply }) => {
        const known = readDeviceSecret(request.headers)
        const { device, secret } = await store.enter(body.token, { fresh: deps.createSecret(), known })
        if (secret !== null) void reply.header('set-cookie', toDeviceCookies(secret, request.protocol === 'https'))
        return describe(device)
      },
    }),
    readDevice: defineRoute({
      rule: WALL_ROUTES.readDevice,
      response: WallDeviceSchema,
      handle: async ({ request }) => {
        const secret = readDeviceSecret(request.headers)
        const device = secret === null ? null : await store.findDevice(secret)
        if (!device) throw new CodedError(wallErrors.WALL_DEVICE_REQUIRED)
        requireActive(device)
        return describe(device)
      },
    }),
  } satisfies RouteTable<typeof WALL_ROUTES, Identity>

  registerRoutes(app, routes, { ...deps.policy, toError })
}

const toAuthor = ({ userId, name, email }: Identity): { userId: string; name: string } => ({
  userId,
  name: name || email,
})

function toError({ part, message, fields }: RequestFault): CodedError {
  // An id that is none names nothing.
  if (part === 'params') return new CodedError(wallErrors.WALL_BOARD_UNKNOWN)
  return new CodedError(wallErrors.WALL_INPUT_INVALID, { values: { reason: message }, details: fields })
}
