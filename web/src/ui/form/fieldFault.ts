/** Something a server found wrong with one field of what was sent. */
export interface FieldFault {
  /** Dotted path in the values that were sent, for example `filter.query`. */
  readonly field: string
  readonly message: string
}

/** An error that says which fields were refused. */
export interface HasFaults {
  readonly faults: readonly FieldFault[]
}

/** Empty for an error that names no field. */
export const faultsOf = (error: unknown): readonly FieldFault[] =>
  error instanceof Error && 'faults' in error ? (error as Error & HasFaults).faults : []
