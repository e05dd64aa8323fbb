import { z } from 'zod'

import { ByteSizeSchema, COMMON_FIELDS, ConnectionReferenceSchema, defineCheckType, DurationSchema } from './fields.ts'

const count = z.number().int().min(0).optional()

const FolderSpecSchema = z.strictObject({
  ...COMMON_FIELDS,
  path: z.string().min(1),
  /** Where the folder is: without one on the machine of the runner. In a bucket the path is `s3://bucket/folder`, or begins at the connection's own. */
  connection: ConnectionReferenceSchema.optional(),
  /** Number of regular files directly in the folder. */
  minCount: count,
  maxCount: count,
  /** The newest file must be at least this old. */
  minAge: DurationSchema.optional(),
  /** The newest file must be at most this old. */
  maxAge: DurationSchema.optional(),
  /** Each file must be at least this large. */
  minSize: ByteSizeSchema.optional(),
  /** Each file may be at most this large. */
  maxSize: ByteSizeSchema.optional(),
  /** Free space that the folder's file system must have. Nobody tells it of a folder behind a connection. */
  availableSize: ByteSizeSchema.optional(),
})

export const folderCheckType = defineCheckType({ schema: FolderSpecSchema, endpoint: (spec) => spec.path })
