import type { ConnectionField } from './connectionField.ts'

/** Headings of the picker, in its order. */
export const CONNECTION_GROUPS = [
  'Databases',
  'Monitoring and hosts',
  'Clouds',
  'Code',
  'Storage',
  'Notifications',
] as const
export type ConnectionGroup = (typeof CONNECTION_GROUPS)[number]

/** The parts of an address that is composed of fields. Parts that are empty stay empty. */
export interface AddressParts {
  /** As it was entered: a host, a port. */
  readonly plain: (field: string) => string
  /** Safe within an address. */
  readonly encoded: (field: string) => string
  /** `$(…)`: the backend fills it in when it uses the connection, so that the address tells no credential. */
  readonly reference: (field: string) => string
}

/** A type of connections: one file each in `types` (docs/how-to/add-a-connection-type.md). */
export interface ConnectionType {
  readonly title: string
  readonly group: ConnectionGroup
  readonly fields: readonly ConnectionField[]
  /** Other consoles find a notification service by this address. */
  readonly toAddress?: (parts: AddressParts) => string
  /** What a test does: connects, sends one message, or nothing that we could do. */
  readonly test: 'connect' | 'message' | null
  /** Only rows that are there already have this type. */
  readonly isHidden?: true
}
