import { z } from 'zod'

import { CHECK_TYPE_DEFINITIONS, type CheckType } from './checkTypes.ts'
import type { SecretKind } from './fields.ts'

/** Fields of each check type that hold credentials. */
export const CHECK_SECRETS = Object.fromEntries(
  Object.entries(CHECK_TYPE_DEFINITIONS).map(([type, { schema }]) => [type, secretFields(schema)]),
) as Readonly<Record<CheckType, Readonly<Record<string, SecretKind>>>>

function secretFields(schema: z.ZodType): Record<string, SecretKind> {
  const object = schema instanceof z.ZodPipe ? schema.in : schema
  if (!(object instanceof z.ZodObject)) return {}
  const shape: Record<string, unknown> = object.shape
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const secret = secretOf(field)
      return secret === null ? [] : [[name, secret]]
    }),
  )
}

function secretOf(field: unknown): SecretKind | null {
  if (field instanceof z.ZodOptional) return secretOf(field.unwrap())
  const secret = field instanceof z.ZodType ? field.meta()?.['secret'] : undefined
  return secret === 'secret' || secret === 'headers' || secret === 'environment' ? secret : null
}
