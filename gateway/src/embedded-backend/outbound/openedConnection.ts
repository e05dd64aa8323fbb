// A connection with its credentials in place, as those use it who call the system behind it.
import {
  CONNECTION_TYPES,
  type ConnectionRow,
  type ConnectionType,
  type ConnectionTypeName,
  decodeConnection,
} from '@watchroom/shared/settings/connections'

import type { TlsOptions } from '../../platform/openSocket.ts'
import { fillParameters } from '../secrets/resolveConnection.ts'
import { OutboundFault } from './outboundFault.ts'

export interface OpenedConnection {
  /** The text of a field; empty where there is none. */
  readonly text: (field: string) => string
  /** The same. @throws OutboundFault where there is none */
  readonly needed: (field: string) => string
  readonly number: (field: string) => number
  readonly tls: TlsOptions
}

/** Read by backends in Kubernetes alone. */
const REFERENCE = /^(?:secret|configmap|helm|serviceaccount):\/\//

/** @throws OutboundFault when a credential stands elsewhere */
export function toOpenedConnection(type: ConnectionTypeName, row: ConnectionRow): OpenedConnection {
  const definition: ConnectionType = CONNECTION_TYPES[type]
  const { fields } = definition
  // An address that is composed of the fields is read from them.
  const values = decodeConnection(definition, definition.toAddress ? row : fillAddress(row))
  const text = (name: string): string => String(values[name] ?? '')
  const labelOf = (name: string): string => fields.find((field) => field.name === name)?.label ?? name
  const elsewhere = fields.find(({ name }) => REFERENCE.test(text(name)))
  if (elsewhere)
    throw new OutboundFault(`${elsewhere.label}: only a server in Kubernetes can read ${text(elsewhere.name)}`)
  const needed = (name: string): string => {
    const value = text(name)
    if (value === '') throw new OutboundFault(`${labelOf(name)} is missing`)
    return value
  }
  return {
    text,
    needed,
    number: (name) => {
      const value = Number(needed(name))
      if (!Number.isInteger(value) || value < 0) throw new OutboundFault(`${labelOf(name)} is not a number`)
      return value
    },
    tls: { isInsecure: values['insecure_tls'] === true },
  }
}

/** `$(username)` and its kind within an address stand for what the row has. */
function fillAddress(row: ConnectionRow): ConnectionRow {
  const { url = null, username = null, password = null, certificate = null, properties } = row
  const parameters = { url, username, password, certificate, properties: new Map(Object.entries(properties ?? {})) }
  return { ...row, url: url && fillParameters(url, parameters, encodeURIComponent) }
}
