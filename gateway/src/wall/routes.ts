// The wall's own HTTP routes. Rights come from the one table of them; what is not in it is not registered.

import { GATEWAY_ROUTES, type GatewayRoute, mayUseRoute, type RouteRule } from '@watchroom/shared/access'
import { type WallBoard, WallBoardInputSchema, type WallDevice, WallLinkInputSchema } from '@watchroom/shared/wall'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'

import type { Identity } from '../access/contract.ts'
import { CodedError } from '../platform/errors.ts'
import type { WallStore } from './createWallStore.ts'
import { requireActive } from './createWallStore.ts'
import { readDeviceSecret, toDeviceCookies } from './deviceCookie.ts'
import { wallErrors } from './errors.ts'

/** A board with fifty labels is a tenth of this. */
const MAX_BODY_BYTES = 65_536

const IdSchema = z.object({ id: z.guid() })
const TokenSchema = z.strictObject({ token: z.string().min(1).max(200) })

export interface WallRoutesDeps {
  readonly store: WallStore
  readonly createId: () => string
  /** 256 random bits as text that a link and a cookie can carry. */
  readonly createSecret: () => string
  /** Something was written: boards are read again. */
  readonly onWrite: () => Promise<void>
  /** @throws CodedError when there is no session */
  readonly requireIdentity: (request: FastifyRequest) => Promise<Identity>
  /** @throws CodedError always */
  readonly deny: () => never
  /** Route options of the post that takes a token: attempts are counted. */
  readonly enterRoute: RouteShorthandOptions
}

interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Null on public routes. */
  readonly identity: Identity | null
}

type Handler = (call: Call) => Promise<unknown>

export async function wallRoutes(app: FastifyInstance, deps: WallRoutesDeps): Promise<void> {
  const { store } = deps

  const handlers: Partial<Record<GatewayRoute, Handler>> = {
    listBoards: async () => ({ boards: await store.boards() }),
    createBoard: async ({ request, reply, identity }) => {
      const board = await store.createBoard(
        deps.createId(),
        parse(WallBoardInputSchema, request.body),
        author(identity),
      )
      await deps.onWrite()
      return reply.code(201).send(board)
    },
    changeBoard: async ({ request }): Promise<WallBoard> => {
      const board = await store.changeBoard(readId(request), parse(WallBoardInputSchema, request.body))
      await deps.onWrite()
      return board
    },
    removeBoard: async ({ request, reply }) => {
      await store.removeBoard(readId(request))
      await deps.onWrite()
      return reply.code(204).send()
    },

    listLinks: async () => ({ links: await store.links() }),
    createLink: async ({ request, reply, identity }) => {
      const input = parse(WallLinkInputSchema, request.body)
      const token = deps.createSecret()
      const ids = { id: deps.createId(), boardId: readId(request) }
      const link = await store.createLink({ ...ids, token, ...input }, author(identity))
      return reply.code(201).send({ link, token })
    },
    withdrawLink: async ({ request, reply }) => {
      await store.withdrawLink(readId(request))
      await deps.onWrite()
      return reply.code(204).send()
    },

    enterDevice: async ({ request, reply }) => {
      const { token } = parse(TokenSchema, request.body)
      const known = readDeviceSecret(request.headers)
      const { device, secret } = await store.enter(token, { fresh: deps.createSecret(), known })
      if (secret !== null) void reply.header('set-cookie', toDeviceCookies(secret, request.protocol === 'https'))
      return describe(device)
    },
    readDevice: async ({ request }) => {
      const secret = readDeviceSecret(request.headers)
      const device = secret === null ? null : await store.findDevice(secret)
      if (!device) throw new CodedError(wallErrors.WALL_DEVICE_REQUIRED)
      requireActive(device)
      return describe(device)
    },
  }

  const describe = async (device: { linkName: string; boardId: string }): Promise<WallDevice> => {
    const board = (await store.boards()).find(({ id }) => id === device.boardId)
    if (!board) throw new CodedError(wallErrors.WALL_BOARD_UNKNOWN)
    return { name: device.linkName, board }
  }

  for (const [name, handle] of Object.entries(handlers) as [GatewayRoute, Handler][]) {
    const rule: RouteRule = GATEWAY_ROUTES[name]
    const { method, access } = rule
    if (method === 'ANY') continue
    app.route({
      ...(name === 'enterDevice' ? deps.enterRoute : {}),
      method,
      url: rule.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) => {
        const identity = access === 'public' ? null : await deps.requireIdentity(request)
        if (identity && !mayUseRoute(access, identity.roles)) deps.deny()
        void reply.header('cache-control', 'no-store')
        const answer = await handle({ request, reply, identity })
        return reply.sent ? reply : answer
      },
    })
  }
}

function author(identity: Identity | null): { userId: string; name: string } {
  // Only public routes have none, and those write no author.
  if (!identity) throw new Error('a route with an author is public')
  return { userId: identity.userId, name: identity.name || identity.email }
}

/** An id that is none names nothing. */
function readId(request: FastifyRequest): string {
  const params = IdSchema.safeParse(request.params)
  if (!params.success) throw new CodedError(wallErrors.WALL_BOARD_UNKNOWN)
  return params.data.id
}

/** @throws CodedError WALL_INPUT_INVALID that names the fields */
function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  const reason = problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ')
  throw new CodedError(wallErrors.WALL_INPUT_INVALID, { values: { reason }, details: problems })
}
