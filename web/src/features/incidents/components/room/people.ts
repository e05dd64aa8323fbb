import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'

import { request } from '../../../../api/request.ts'

const PersonSchema = z.object({
  id: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  email: z.string().nullish(),
})
export type Person = z.infer<typeof PersonSchema>

const NOBODY: readonly Person[] = []

/** Everybody with an account. Names change seldom, so one answer serves all parts of the screen. */
export const peopleQuery = () =>
  queryOptions({
    queryKey: ['people', 'names'],
    queryFn: ({ signal }) =>
      request('/api/db/people?select=id,name,email&deleted_at=is.null&order=name', {
        schema: PersonSchema.array(),
        signal,
      }),
  })

export interface People {
  readonly all: readonly Person[]
  /** Undefined while it is not known. */
  readonly nameOf: (personId: string) => string | undefined
}

export function usePeople(): People {
  const { data = NOBODY } = useQuery(peopleQuery())
  return useMemo(() => {
    const names = new Map(data.map((person) => [person.id, personName(person)]))
    return { all: data, nameOf: (personId) => names.get(personId) }
  }, [data])
}

export function personName({ name, email }: Person): string {
  return name === '' ? (email ?? 'Unknown') : name
}
