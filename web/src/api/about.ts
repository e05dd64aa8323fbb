import { queryOptions } from '@tanstack/react-query'
import { AboutProgramsSchema } from '@watchroom/shared/health'
import { z } from 'zod'

import { FRESH_MS } from './queryClient.ts'
import { aboutKey } from './queryKeys.ts'
import { request } from './request.ts'

const AboutSchema = AboutProgramsSchema.extend({ Version: z.string().optional().catch(undefined) })

/** What a backend says about itself. One that says less, or nothing, is fine. */
export const aboutQuery = queryOptions({
  queryKey: aboutKey,
  queryFn: ({ signal }) => request('/api/canary/about', { schema: AboutSchema, signal }),
  staleTime: FRESH_MS.default,
})
