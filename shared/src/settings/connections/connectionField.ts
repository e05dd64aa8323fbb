import type { ConnectionRow } from './connectionRow.ts'

/** Where a row keeps the value of a field. */
export type FieldPlace = 'url' | 'username' | 'password' | 'certificate' | 'insecure_tls' | `properties.${string}`

/** Values of a form by the names of its fields; a switch is a boolean, everything else a text. */
export type ConnectionValues = Readonly<Record<string, string | boolean>>

/** One field of a type of connections, as its form shows it and its row keeps it. */
export interface ConnectionField {
  readonly name: string
  readonly label: string
  /** `secret` and `key` are credentials; a key has several lines. */
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'secret' | 'key'
  readonly isRequired: boolean
  /** What a new connection begins with. */
  readonly initial: string | boolean
  readonly choices: readonly string[]
  /** Null: the address that is composed of all fields tells it, by `read`. */
  readonly place: FieldPlace | null
  readonly read?: (row: ConnectionRow) => string
  /** Shown, asked for and kept only while another field says so. */
  readonly when?: { readonly field: string; readonly is: string }
  readonly placeholder?: string
  readonly help?: string
}

type Options = Partial<Omit<ConnectionField, 'name' | 'label' | 'kind' | 'choices'>>

const field = (
  kind: ConnectionField['kind'],
  name: string,
  label: string,
  options: Options & Pick<Partial<ConnectionField>, 'choices'>,
): ConnectionField => ({
  name,
  label,
  kind,
  isRequired: false,
  initial: kind === 'switch' ? false : '',
  choices: [],
  place: COLUMNS.find((column) => column === name) ?? `properties.${name}`,
  ...options,
})

const COLUMNS = ['url', 'username', 'password', 'certificate', 'insecure_tls'] as const

/** A field goes to the column of its name, else to the property of its name. */
export const text = (name: string, label: string, options: Options = {}) => field('text', name, label, options)
export const number = (name: string, label: string, options: Options = {}) => field('number', name, label, options)
export const secret = (name: string, label: string, options: Options = {}) => field('secret', name, label, options)
export const key = (name: string, label: string, options: Options = {}) => field('key', name, label, options)
export const choice = (name: string, label: string, choices: readonly string[], options: Options = {}) =>
  field('choice', name, label, { isRequired: true, ...options, choices })

export const REQUIRED = { isRequired: true } as const
export const INSECURE_TLS = field('switch', 'insecure_tls', 'Skip TLS verification', {
  help: 'Accepts any certificate. Off by default.',
})
