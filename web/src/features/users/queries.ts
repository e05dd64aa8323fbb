import { queryOptions } from '@tanstack/react-query'
import { highestRole, type Role, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema } from '@watchroom/shared/identity'
import { type Person, PersonSessionSchema, toPeople } from '@watchroom/shared/people'
import { z } from 'zod'

import { personSessionsKey } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import type { UserForm } from './userForm.ts'

const RowsSchema = z.array(z.unknown())
const LinkSchema = z.object({ link: z.string() })

/** Everyone by REST, for as long as the live link is down. */
export async function fetchPeople(signal: AbortSignal): Promise<Person[]> {
  const [identities, roles] = await Promise.all([
    request('/api/db/identities?select=*', { schema: RowsSchema, signal }),
    request('/api/db/people_roles?select=id,roles', { schema: RowsSchema, signal }),
  ])
  return toPeople(identities, roles).people
}

/** @returns the link that was mailed, to be handed on */
export async function inviteUser({ active: _active, ...user }: UserForm): Promise<string> {
  const { link } = await request('/api/auth/invite_user', { method: 'POST', body: user, schema: LinkSchema })
  await ensureRole(user)
  return link
}

/** Backends that are told of no role with an invitation make everyone a viewer. */
async function ensureRole({ email, role }: Pick<UserForm, 'email' | 'role'>): Promise<void> {
  const found = await request(`/api/db/people?select=id&deleted_at=is.null&email=eq.${encodeURIComponent(email)}`, {
    schema: z.array(z.object({ id: z.string() })),
  })
  const id = found[0]?.id
  if (id === undefined) return
  const rows = await request(`/api/db/people_roles?id=in.(${id})`, { schema: PeopleRolesSchema })
  if (highestRole(toRoles(rows[0]?.roles ?? [])) !== role) await setRole(id, role)
}

export async function setRole(id: string, role: Role): Promise<void> {
  await request(`/api/rbac/${id}/update_role`, { method: 'POST', body: { roles: [role] }, schema: z.unknown() })
}

/** @returns a new link; the former one has ended */
export async function inviteAgain(id: string): Promise<string> {
  return (await request(`/api/auth/${id}/invite`, { method: 'POST', schema: LinkSchema })).link
}

export async function updateUser(id: string, user: UserForm): Promise<void> {
  await request('/api/people/update', { method: 'POST', body: { id, ...user }, schema: z.unknown() })
}

export async function deleteUser(id: string): Promise<void> {
  await request(`/api/people/${id}`, { method: 'DELETE', schema: z.unknown() })
}

export async function endUserSessions(id: string): Promise<void> {
  await request(`/api/auth/${id}/sessions`, { method: 'DELETE', schema: z.unknown() })
}

export const userSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: personSessionsKey(id),
    queryFn: ({ signal }) => request(`/api/auth/${id}/sessions`, { schema: z.array(PersonSessionSchema), signal }),
    staleTime: 0,
  })
