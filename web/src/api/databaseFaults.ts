import type { FieldFault } from '../ui/form/fieldFault.ts'
import { REQUIRED_TEXT } from '../ui/form/rules.ts'

/** The parts of a refusal that PostgREST passes on. */
interface DatabaseRefusal {
  /** SQLSTATE. */
  readonly code: string | undefined
  readonly message: string | undefined
  readonly details: unknown
}

/** A row with this key exists. */
export const UNIQUE_VIOLATION = '23505'
const NOT_NULL = '23502'
const CHECK = '23514'

/** Details of a key that is taken: the columns remain, the values are removed (docs/security.md). */
const KEY = /^Key \((?<columns>.+?)\)=/u
const COLUMN = /null value in column "(?<column>[^"]+)"/u
/** Constraints are named `{table}_{column}_check`. */
const CONSTRAINT = /relation "(?<relation>[^"]+)" violates check constraint "(?<constraint>[^"]+)"/u
/** Messages of triggers begin with the path: `spec.http.1.url: …`. */
const SENTENCE = /^(?<column>[a-z_]+)(?:\.(?<rest>[^:\n]+))?: (?<sentence>.+)$/su

/** What the database refused about a column, worded for the field of the same name. Empty if it names no column. */
export function toDatabaseFaults({ code = '', message = '', details }: DatabaseRefusal): readonly FieldFault[] {
  switch (code) {
    case UNIQUE_VIOLATION: {
      const key = KEY.exec(typeof details === 'string' ? details : '')?.groups?.['columns']
      if (key === undefined) return []
      // `lower(email)` counts as the column `email`.
      const columns = key.replaceAll(/\w+\(|\)/g, '').split(', ')
      const scope = columns.includes('namespace') ? ' in this namespace' : ''
      if (columns.includes('name')) return [fault('name', `This name is already used${scope}`)]
      return columns.slice(0, 1).map((column) => fault(column, 'This value is already used'))
    }
    case NOT_NULL: {
      const column = COLUMN.exec(message)?.groups?.['column']
      return column === undefined ? [] : [fault(column, REQUIRED_TEXT)]
    }
    case CHECK: {
      const { relation, constraint = '' } = CONSTRAINT.exec(message)?.groups ?? {}
      if (relation !== undefined) {
        const column = constraint.startsWith(`${relation}_`)
          ? constraint.slice(relation.length + 1).replace(/_check$/, '')
          : ''
        return column === '' ? [] : [fault(column, 'This value is not allowed')]
      }
      const { column, rest, sentence = '' } = SENTENCE.exec(message)?.groups ?? {}
      return column === undefined ? [] : [fault(column, rest === undefined ? sentence : `${rest}: ${sentence}`)]
    }
    default:
      return []
  }
}

const fault = (field: string, message: string): FieldFault => ({ field, message })
