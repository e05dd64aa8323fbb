import { z } from 'zod'

import { ContentPatternSchema } from './contentPattern.ts'
import {
  COMMON_FIELDS,
  ConnectionReferenceSchema,
  defineCheckType,
  hasTarget,
  hidden,
  MinCertificateDaysSchema,
  NameValueListSchema,
  NO_TARGET,
  TargetUrlSchema,
  TEMPLATE_FIELDS,
  TextValueSchema,
} from './fields.ts'
import { toPublicUrl } from './maskCredentials.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const SIGN_IN = { username: TextValueSchema.optional(), password: hidden(TextValueSchema, 'secret').optional() }

const HttpSpecSchema = z
  .strictObject({
    ...COMMON_FIELDS,
    ...TEMPLATE_FIELDS,
    /** `$(url)` stands for the address of the connection. */
    url: z.union([TargetUrlSchema, z.string().regex(/^\$\(url\)/)], 'expected an http:// or https:// URL').optional(),
    /** Knows the address and how to sign in; `$(username)`, `$(password)` and `$(properties.name)` stand for parts of it. */
    connection: ConnectionReferenceSchema.optional(),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(METHODS))
      .optional(),
    headers: hidden(NameValueListSchema, 'headers').optional(),
    body: z.string().optional(),
    /** Codes that pass; any 2xx when absent, unless `test.expr` decides. */
    responseCodes: z.array(z.number().int().min(100).max(599)).min(1).optional(),
    responseContent: ContentPatternSchema.optional(),
    /** Days that the certificate must still be valid. */
    maxSSLExpiry: MinCertificateDaysSchema.optional(),
    /** Redirects to follow; 0 checks the redirect itself. */
    maxRedirects: z.number().int().min(0).max(20).optional(),
    ...SIGN_IN,
    /** An alternative place for user name and password. */
    authentication: z.strictObject(SIGN_IN).optional(),
    insecureSkipVerify: z.boolean().optional(),
  })
  .refine(hasTarget, NO_TARGET)
  .transform(({ authentication, ...spec }, context) => {
    const isTwice = spec.username !== undefined || spec.password !== undefined
    if (authentication === undefined || !isTwice) return { ...spec, ...authentication }
    context.addIssue({
      code: 'custom',
      path: ['authentication'],
      message: 'expected either this or username and password',
    })
    return z.NEVER
  })

export const httpCheckType = defineCheckType({
  schema: HttpSpecSchema,
  endpoint: (spec) => toPublicUrl(spec.url ?? spec.connection ?? ''),
})
