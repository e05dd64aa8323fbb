import { queryOptions } from '@tanstack/react-query'
import type { TargetKind } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { playbookKeys } from '../../api/queryKeys.ts'
import { request, RequestError } from '../../api/request.ts'
import { splitIds } from '../../api/splitIds.ts'

const OfferSchema = z.object({ id: z.string(), name: z.string() })
const TitleSchema = z.object({ id: z.string(), title: z.string().nullish() })

/** A playbook that can run on something, under the title that people know it by. */
export interface Playbook {
  readonly id: string
  readonly title: string
}

/** What a playbook is run on. */
export interface PlaybookTarget {
  readonly kind: TargetKind
  readonly id: string
}

/** Playbooks that match a resource, as they are now: someone may just have written one for it. */
export const playbooksOfTargetQuery = ({ kind, id }: PlaybookTarget) =>
  queryOptions({
    queryKey: playbookKeys.ofTarget(kind, id),
    queryFn: async ({ signal }): Promise<Playbook[]> => {
      const path = `/api/playbook/list?${kind}_id=${encodeURIComponent(id)}`
      const offered = (await request(path, { schema: z.array(OfferSchema).nullable(), signal })) ?? []
      const titles = await readTitles(offered, signal)
      return offered.map(({ id: offer, name }) => ({ id: offer, title: titles.get(offer) || name }))
    },
    staleTime: FRESH_MS.never,
  })

/** The list has names alone, which stay when a playbook gets another title (second specification, section 7). */
async function readTitles(
  offered: readonly { readonly id: string }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null | undefined>> {
  const lists = splitIds(offered.map(({ id }) => encodeURIComponent(id))).map((ids) =>
    request(`/api/db/playbooks?id=in.(${ids.join()})&select=id,title`, { schema: z.array(TitleSchema), signal }),
  )
  try {
    return new Map((await Promise.all(lists)).flat().map(({ id, title }) => [id, title]))
  } catch (error) {
    signal.throwIfAborted()
    // They can run all the same, under the names that the list gives them.
    if (error instanceof RequestError) return new Map()
    throw error
  }
}
