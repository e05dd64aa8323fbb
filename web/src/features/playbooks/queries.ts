import { queryOptions } from '@tanstack/react-query'
import type { TargetKind } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { playbookKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

const PlaybookSchema = z.object({ id: z.string(), name: z.string(), title: z.string().nullish() })
export type Playbook = z.infer<typeof PlaybookSchema>

/** What a playbook is run on. */
export interface PlaybookTarget {
  readonly kind: TargetKind
  readonly id: string
}

/** Playbooks that match a resource. */
export const playbooksOfTargetQuery = ({ kind, id }: PlaybookTarget) =>
  queryOptions({
    queryKey: playbookKeys.ofTarget(kind, id),
    queryFn: async ({ signal }) => {
      const path = `/api/playbook/list?${kind}_id=${encodeURIComponent(id)}`
      return (await request(path, { schema: z.array(PlaybookSchema).nullable(), signal })) ?? []
    },
  })
