import { existsSync } from 'node:fs'

import { mayUseRoute, ROLES, type Role } from '@watchroom/shared/access'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { Access } from '../../../../gateway/src/access/contract.ts'
import { createRoutePolicy } from '../../../../gateway/src/access/createRoutePolicy.ts'
import { accessPlugin } from '../../../../gateway/src/access/plugin.ts'
import { registerErrorHandler } from '../../../../gateway/src/app/errorHandler.ts'
import { acceptJsonBodies } from '../../../../gateway/src/platform/jsonBodies.ts'
import { ROOT, readText } from '../../../architecture/sources.ts'
import { type Note, NOTE_ROUTES, NoteInputSchema, noteRoutes, NoteSchema } from './noteRoutes.ts'

const HOW_TO = readText('docs/how-to/add-a-route.md')
const FIXTURE = readText('tests/gateway/platform/http/noteRoutes.ts')
const ID = '11111111-1111-4111-8111-111111111111'

/** Who calls says so in a header: sessions are another test's business. */
const access: Pick<Access, 'identify'> = {
  identify: async ({ 'x-role': role }) => {
    const roles = ROLES.filter((name) => name === role)
    return roles.length === 0 ? null : { userId: 'u1', name: 'Robin', email: 'robin@example.com', roles }
  },
}

async function serve() {
  const saved: Note[] = []
  const app = fastify()
  onTestFinished(() => app.close())
  acceptJsonBodies(app)
  registerErrorHandler(app)
  await app.register(accessPlugin, { signInsPerMinute: 1 })
  await app.register(noteRoutes, {
    policy: createRoutePolicy(access as Access, () => true),
    save: async (note) => {
      saved.push(note)
      return note
    },
  })
  const put = (role: Role | 'nobody', payload: object, id = ID) =>
    app.inject({ method: 'PUT', url: `/gateway/notes/${id}`, payload, headers: { 'x-role': role } })
  return { put, saved }
}

describe('docs/how-to/add-a-route.md', () => {
  it('shows code that is compiled and run here', () => {
    const blocks = [...HOW_TO.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    expect(blocks.length).toBeGreaterThanOrEqual(3)
    expect(blocks.filter((block) => !FIXTURE.includes(block))).toEqual([])
  })

  it('names files that exist', () => {
    const named = [...HOW_TO.matchAll(/`((?:shared|gateway|tests|docs)\/[\w./-]+\.(?:ts|md))`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThanOrEqual(8)
    expect(named.filter((path) => !existsSync(ROOT + path))).toEqual([])
  })
})

describe('the route it leads to', () => {
  it.each(ROLES)('is open to a %s exactly if the matrix says so', async (role) => {
    const { put, saved } = await serve()
    const isOpen = mayUseRoute(NOTE_ROUTES.changeNote.access, [role])
    const { statusCode, headers } = await put(role, { text: ' Seen ' })
    expect([statusCode, headers['cache-control']]).toEqual([isOpen ? 200 : 403, 'no-store'])
    expect(saved).toEqual(isOpen ? [{ id: ID, text: 'Seen', changedBy: 'u1' }] : [])
  })

  it('answers with what its schema names', async () => {
    const { put } = await serve()
    const answer = await put('admin', { text: 'Seen' })
    expect(answer.json()).toEqual(NoteSchema.parse({ id: ID, text: 'Seen', changedBy: 'u1' }))
  })

  it('is closed without a session, also to what cannot be read', async () => {
    const { put } = await serve()
    expect((await put('nobody', {})).statusCode).toBe(401)
  })

  it.each([
    [{}, 'text', 'The request is not valid: text: '],
    [{ text: '  ' }, 'text', 'The request is not valid: text: This field is required'],
    [{ text: 'x', size: 1 }, '', 'The request is not valid: request: Unrecognized key: "size"'],
  ])('names the field of %j', async (body, field, message) => {
    const { put, saved } = await serve()
    expect(NoteInputSchema.safeParse(body).success).toBe(false)
    const answer = await put('admin', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      kind: 'REQUEST_INVALID',
      error: expect.stringContaining(message) as string,
      details: [{ field }],
    })
    expect(saved).toEqual([])
  })

  it('leads nowhere with an id that is none', async () => {
    const { put } = await serve()
    const answer = await put('admin', { text: 'x' }, 'nonsense')
    expect([answer.statusCode, answer.json<{ kind: string }>().kind]).toEqual([404, 'ROUTE_NOT_FOUND'])
  })
})
