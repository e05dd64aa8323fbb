import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType } from './fields.ts'
import { HOST_PATTERN } from './hostPort.ts'

export const DNS_QUERY_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const

const DnsSpecSchema = z.strictObject({
  ...COMMON_FIELDS,
  /** Name server, host or address without port; the system's own when absent. */
  server: z.string().trim().regex(HOST_PATTERN, 'expected a host name or an address').optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  query: z.string().trim().min(1).max(253),
  querytype: z
    .string()
    .transform((type) => type.toUpperCase())
    .pipe(z.enum(DNS_QUERY_TYPES))
    .optional(),
  /** Fewest records; 1 when absent. */
  minrecords: z.number().int().min(0).optional(),
  /** The records, all of them, in any order: `10 mail.example.com` for MX, `priority weight port target` for SRV. */
  exactreply: z.array(z.string()).optional(),
})

export const dnsCheckType = defineCheckType({
  schema: DnsSpecSchema,
  endpoint: (spec) => (spec.server === undefined ? spec.query : `${spec.query}@${spec.server}`),
})
