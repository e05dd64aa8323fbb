// What docs/how-to/add-a-route.md leads to. The page's blocks are parts of this file; `addARoute.test.ts` compares.
import type { RouteRule } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Identity } from '../../../../gateway/src/access/contract.ts'
import {
  createDefineRoute,
  registerRoutes,
  type RoutePolicy,
  type RouteTable,
} from '../../../../gateway/src/platform/http/defineRoute.ts'

export const NOTE_ROUTES = {
  changeNote: { method: 'PUT', path: '/gateway/notes/{id}', access: { action: 'write', resource: 'incident' } },
} as const satisfies Record<string, RouteRule>

export const NoteInputSchema = z.strictObject({ text: z.string().trim().min(1, 'This field is required').max(500) })
export const NoteSchema = z.object({ id: z.guid(), text: z.string(), changedBy: z.string() })
export type Note = z.infer<typeof NoteSchema>

export interface NoteRoutesDeps {
  readonly policy: RoutePolicy<Identity>
  readonly save: (note: Note) => Promise<Note>
}

const defineRoute = createDefineRoute<Identity>()

export async function noteRoutes(app: FastifyInstance, deps: NoteRoutesDeps): Promise<void> {
  const routes = {
    changeNote: defineRoute({
      rule: NOTE_ROUTES.changeNote,
      params: z.object({ id: z.guid() }),
      body: NoteInputSchema,
      maxBodyBytes: 16_384,
      response: NoteSchema,
      handle: ({ caller, params, body }) => deps.save({ id: params.id, text: body.text, changedBy: caller.userId }),
    }),
  } satisfies RouteTable<typeof NOTE_ROUTES, Identity>

  registerRoutes(app, routes, deps.policy)
}
