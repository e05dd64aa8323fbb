import { queryOptions } from '@tanstack/react-query'
import { highestRole, type Role, toRoles } from '@watchroom/shared/access'
import { PeopleRolesSchema } from '@watchroom/shared/identity'
import { type Person, PersonSessionSchema, toPeople } from '@watchroom/shared/people'
import { z } from 'zod'

import { personSessionsKey } from '../../api/queryKeys.ts'
import { errorText, request, RequestError } from '../../api/request.ts'
import type { SaveResult } from '../../ui/form/saveResult.ts'
import { isSameUser, type UserForm } from './userForm.ts'

const RowsSchema = z.array(z.unknown())
const LinkSchema = z.object({ link: z.string() })

/** @param id of one of them; everyone without it */
async function readPeople(id: string | null, signal?: AbortSignal): Promise<Person[]> {
  const [ofIdentity, ofRoles] = id === null ? ['', ''] : [`&id=eq.${id}`, `&id=in.(${id})`]
  const [identities, roles] = await Promise.all([
    request(`/api/db/identities?select=*${ofIdentity}`, { schema: RowsSchema, signal }),
    request(`/api/db/people_roles?select=id,roles${ofRoles}`, { schema: RowsSchema, signal }),
  ])
  return toPeople(identities, roles).people
}

/** Everyone by REST, for as long as the live link is down. */
export const fetchPeople = (signal: AbortSignal): Promise<Person[]> => readPeople(null, signal)

export interface NewInvitation {
  /** As it was mailed, to be handed on: nobody can ask for it again. */
  readonly link: string
  /** Why the person has another role than the one that was chosen; null when they have it. */
  readonly roleFailure: string | null
}

/** @returns null when the address has an account: then that has the role now */
export async function inviteUser({ active: _active, ...user }: UserForm): Promise<NewInvitation | null> {
  let link: string
  try {
    link = (await request('/api/auth/invite_user', { method: 'POST', body: user, schema: LinkSchema })).link
  } catch (error) {
    const known = error instanceof RequestError && error.status === 409 ? await findPersonId(user.email) : undefined
    if (known === undefined) throw error
    await setRole(known, user.role)
    return null
  }
  try {
    await ensureRole(user)
    return { link, roleFailure: null }
  } catch (error) {
    return { link, roleFailure: errorText(error) }
  }
}

async function findPersonId(email: string): Promise<string | undefined> {
  const found = await request(`/api/db/people?select=id&deleted_at=is.null&email=eq.${encodeURIComponent(email)}`, {
    schema: z.array(z.object({ id: z.string() })),
  })
  return found[0]?.id
}

/** Backends that are told of no role with an invitation make everyone a viewer. */
async function ensureRole({ email, role }: Pick<UserForm, 'email' | 'role'>): Promise<void> {
  const id = await findPersonId(email)
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

/**
 * Saves over exactly the version that was read: nothing is written if someone else has changed the person since. The backend does not
 * compare versions, so they are read again first. People with several roles keep them unless another one is chosen.
 */
export async function updateUser(over: Person, { role, ...user }: UserForm): Promise<SaveResult<Person>> {
  const { id } = over
  const [current] = await readPeople(id)
  if (current === undefined) return { kind: 'gone' }
  if (!isSameUser(current, over)) return { kind: 'changed', current }
  const body = { id, ...user, ...(role === over.role ? {} : { role }) }
  await request('/api/people/update', { method: 'POST', body, schema: z.unknown() })
  return { kind: 'saved', row: current }
}

/** @param person with the address that was seen: another one, which they took meanwhile, is not confirmed */
export async function confirmAddress({ id, email }: Person): Promise<void> {
  await request(`/api/people/${id}/confirm_address`, { method: 'POST', body: { email }, schema: z.unknown() })
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
