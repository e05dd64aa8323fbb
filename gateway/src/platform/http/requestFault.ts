import type { z } from 'zod'

export type RequestPart = 'params' | 'query' | 'body'

export interface FieldFault {
  /** Keys joined by dots; empty when the part as a whole is meant. */
  readonly field: string
  readonly message: string
}

/** Input that its schema does not take. The policy of the route says what the caller is told. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly part: RequestPart
  readonly fields: readonly FieldFault[]

  constructor(part: RequestPart, error: z.ZodError) {
    super(describeIssues(error))
    this.part = part
    this.fields = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  }
}

/** The one formatter of faults: a sentence that names each field. */
export const describeIssues = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; ')
