// A row of `connections` as the fields of its type, and back. What no field knows stays in the row.
import { ownValue } from '../../kernel/index.ts'
import type { ConnectionField, ConnectionValues, FieldPlace } from './connectionField.ts'
import type { ConnectionRow } from './connectionRow.ts'
import type { AddressParts, ConnectionType } from './connectionType.ts'

type Definition = Pick<ConnectionType, 'fields' | 'toAddress'>

export type EncodedConnection = ConnectionRow & { readonly properties: Readonly<Record<string, string>> | null }

/** @param former the row that is edited: properties that no field knows are kept */
export function encodeConnection(
  type: Definition,
  values: ConnectionValues,
  former: Pick<ConnectionRow, 'properties'> = {},
): EncodedConnection {
  const written = type.fields.map(
    (field) => [field.place, isShown(field, values) ? toWritten(field, values) : null] as const,
  )
  const columns = written.filter(([place]) => place !== null && !isProperty(place))
  const known = new Set<string>(
    written.flatMap(([place]) => (place !== null && isProperty(place) ? [toName(place)] : [])),
  )
  const properties = Object.fromEntries([
    ...Object.entries(former.properties ?? {}).flatMap(([name, value]) =>
      known.has(name) ? [] : [[name, String(value)] as const],
    ),
    ...written.flatMap(([place, value]) =>
      place === null || !isProperty(place) || value === null ? [] : [[toName(place), String(value)] as const],
    ),
  ])
  return {
    ...Object.fromEntries(columns),
    ...(type.toAddress ? { url: type.toAddress(toParts(type, values)) } : {}),
    properties: Object.keys(properties).length === 0 ? null : properties,
  }
}

/** What a form shows of a stored connection: one value for each field of its type. */
export const decodeConnection = ({ fields }: Definition, row: ConnectionRow): ConnectionValues =>
  Object.fromEntries(fields.map((field) => [field.name, toValue(field, row)]))

/** What a form for a new connection begins with. */
export const newConnection = ({ fields }: Definition): ConnectionValues =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))

/** Whether a field matters with these values. */
export const isShown = ({ when }: ConnectionField, values: ConnectionValues): boolean =>
  when === undefined || values[when.field] === when.is

const isProperty = (place: FieldPlace): place is `properties.${string}` => place.startsWith('properties.')
const toName = (place: FieldPlace): string => place.slice('properties.'.length)

function toWritten({ name, kind }: ConnectionField, values: ConnectionValues): string | boolean | null {
  const value = values[name] ?? ''
  if (typeof value === 'boolean') return value
  // The white space of a key is its own.
  const text = kind === 'key' || kind === 'secret' ? value : value.trim()
  return text === '' ? null : text
}

function toValue({ place, read, kind, initial, isRequired }: ConnectionField, row: ConnectionRow): string | boolean {
  if (place === null) return read?.(row) ?? ''
  const kept = isProperty(place) ? ownValue(row.properties, toName(place)) : ownValue(row, place)
  if (kind === 'switch') return kept === true || kept === 'true'
  if (typeof kept === 'string' || typeof kept === 'number') return String(kept)
  // What a row of another console lacks is what its form would have begun with.
  return isRequired || kind === 'number' ? initial : ''
}

function toParts({ fields }: Definition, values: ConnectionValues): AddressParts {
  const plain = (name: string): string => String(values[name] ?? '').trim()
  return {
    plain,
    encoded: (name) => encodeURIComponent(plain(name)),
    reference: (name) => {
      const place = fields.find((field) => field.name === name)?.place
      return plain(name) === '' || !place ? '' : `$(${place})`
    },
  }
}
