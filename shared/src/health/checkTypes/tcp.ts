import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, HostPortSchema, MinCertificateDaysSchema } from './fields.ts'

const TcpSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    endpoint: HostPortSchema,
    /** Also completes a TLS handshake and verifies the certificate. */
    tls: z.boolean().optional(),
    /** Days that the certificate must still be valid; needs `tls`. */
    maxSSLExpiry: MinCertificateDaysSchema.optional(),
    insecureSkipVerify: z.boolean().optional(),
  })
  .refine((spec) => spec.maxSSLExpiry === undefined || spec.tls === true, {
    path: ['maxSSLExpiry'],
    message: 'needs tls: true',
  })

export const tcpCheckType = defineCheckType({ schema: TcpSpecSchema, endpoint: (spec) => spec.endpoint })
