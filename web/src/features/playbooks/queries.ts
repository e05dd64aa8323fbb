import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { checkKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

const PlaybookSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullish(),
  parameters: z.array(z.object({ name: z.string(), label: z.string().nullish() })).nullish(),
})
export type Playbook = z.infer<typeof PlaybookSchema>

/** Playbooks that match a check. */
export const playbooksOfCheckQuery = (checkId: string) =>
  queryOptions({
    queryKey: checkKeys.playbooks(checkId),
    queryFn: async ({ signal }) => {
      const path = `/api/playbook/list?check_id=${encodeURIComponent(checkId)}`
      return (await request(path, { schema: z.array(PlaybookSchema).nullable(), signal })) ?? []
    },
  })

export const runOnCheckMutation = (checkId: string) =>
  mutationOptions({
    mutationFn: (playbook: Playbook) =>
      request('/api/playbook/run', {
        method: 'POST',
        body: { id: playbook.id, check_id: checkId },
        schema: z.object({ run_id: z.string() }),
      }),
  })
