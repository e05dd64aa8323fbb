import { ownValue, SECRET_MASK } from '@watchroom/shared/kernel'
import type { ConnectionRow, ConnectionSummary, ConnectionType } from '@watchroom/shared/settings/connections'

import { faultsOf, type FieldFault, type HasFaults } from '../../ui/form/fieldFault.ts'
import { type ConnectionFields, toPlain } from './connectionForm.ts'

/** The database names columns; the form uses different names for some of them. */
class ConnectionRefused extends Error implements HasFaults {
  override readonly name = 'ConnectionRefused'
  readonly faults: readonly FieldFault[]

  constructor(cause: unknown, faults: readonly FieldFault[]) {
    super(cause instanceof Error ? cause.message : 'Something went wrong', { cause })
    this.faults = faults
  }
}

/** Saves, and maps errors to the fields of the type. */
export async function atFields<Saved>({ fields }: ConnectionType, save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    const faults = faultsOf(error).map((fault) => {
      // Of a property its name comes first in the sentence: `accessKey: …`.
      const [, property, rest] = /^([\w.]+): (.+)$/s.exec(fault.message) ?? []
      const place = fault.field === 'properties' && property !== undefined ? `properties.${property}` : fault.field
      const field = fields.find((known) => known.place === place)?.name ?? fault.field
      return { field, message: place === fault.field ? fault.message : (rest ?? fault.message) }
    })
    throw new ConnectionRefused(error, faults)
  }
}

const GONE_TEXT = 'no secret is stored here that *** could stand for. Enter it.'

const isGone = (row: ConnectionSummary, column: string, entered: unknown): boolean =>
  entered === SECRET_MASK && Object.hasOwn(row, column) && (ownValue<unknown>(row, column) ?? '') === ''

/**
 * Of an earlier version, a credential may be gone. The server refuses that of properties; a column it would leave empty.
 *
 * @throws ConnectionRefused
 */
export function requireStored({ fields }: ConnectionType, entered: ConnectionFields, row: ConnectionSummary): void {
  const values = toPlain(entered)
  refuseGone(
    fields
      .filter(({ name, place }) => place !== null && isGone(row, place, values[name]))
      .map(({ name }) => ({ field: name, message: GONE_TEXT })),
  )
}

/**
 * The same of columns that stand in one text.
 *
 * @throws ConnectionRefused
 */
export function requireStoredColumns(field: string, entered: ConnectionRow, row: ConnectionSummary): void {
  refuseGone(
    Object.entries(entered)
      .filter(([column, value]) => isGone(row, column, value))
      .map(([column]) => ({ field, message: `${column}: ${GONE_TEXT}` })),
  )
}

function refuseGone(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new ConnectionRefused(new Error(GONE_TEXT), faults)
}
