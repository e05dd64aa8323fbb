import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'

import { peopleKey } from './queryKeys.ts'
import { request } from './request.ts'

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? null)

const PersonSchema = z.object({
  id: z.string(),
  name: optionalText,
  email: optionalText,
  avatar: optionalText,
  deleted_at: optionalText,
  /** `agent`: not a person but the account behind an agent's token. */
  type: optionalText,
})
export type Person = z.infer<typeof PersonSchema>

/** Everyone who has or had an account. Names rarely change, so one answer serves every screen. */
export const peopleQuery = queryOptions({
  queryKey: peopleKey,
  queryFn: ({ signal }) =>
    request('/api/db/people?select=id,name,email,avatar,deleted_at,type&order=name.asc', {
      schema: z.array(PersonSchema),
      signal,
    }),
})

export interface People {
  /** Those who can sign in: the account still exists and is a person's. */
  readonly present: readonly Person[]
  /** Undefined while it is not known. */
  readonly nameOf: (personId: string) => string | undefined
  /** The answer arrived, or the request failed. */
  readonly isLoaded: boolean
  /** They cannot be named. */
  readonly hasFailed: boolean
}

const NOBODY: readonly Person[] = []

export function usePeople(): People {
  const { data, isPending, isError } = useQuery(peopleQuery)
  return useMemo(() => {
    const names = new Map(data?.map((person) => [person.id, personName(person)]))
    return {
      present: data?.filter(canSignIn) ?? NOBODY,
      nameOf: (personId) => names.get(personId),
      isLoaded: !isPending,
      // When a later request fails, the known names stay.
      hasFailed: isError && data === undefined,
    }
  }, [data, isPending, isError])
}

/** An account without an address cannot be chosen: the system uses such accounts for what it does itself. */
const canSignIn = ({ deleted_at: deletedAt, type, email }: Person): boolean =>
  deletedAt === null && type !== 'agent' && email !== null && email !== ''

const UNKNOWN_PERSON = 'Unknown person'

export function personName({ name, email }: Pick<Person, 'name' | 'email'>): string {
  return name || email || UNKNOWN_PERSON
}

/** The name of whoever did something; without a person it was the evaluation of the incident. */
export function usePersonName(): (id: string | null) => string {
  const { nameOf, isLoaded } = usePeople()
  return (id) => (id === null ? 'the evaluation' : (nameOf(id) ?? (isLoaded ? UNKNOWN_PERSON : '…')))
}
