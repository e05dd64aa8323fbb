import { toText } from './toText.ts'

/** Where a credential comes from (third specification, section 3), by the key it is written under. */
export const SOURCES = [
  { value: 'value', label: 'Value' },
  { value: 'secretKeyRef', label: 'Secret' },
  { value: 'configMapKeyRef', label: 'Config map' },
] as const
export type Source = (typeof SOURCES)[number]['value']

/** A credential as it is edited: a text, or name and key of a secret or config map. */
export interface Credential {
  readonly source: Source
  readonly text: string
  readonly name: string
  readonly key: string
}

const EMPTY: Credential = { source: 'value', text: '', name: '', key: '' }

/** Null when the form could not show it without losing a part. */
export function tryReadCredential(written: unknown): Credential | null {
  if (written === undefined || written === null) return EMPTY
  if (typeof written !== 'object') return { ...EMPTY, text: toText(written) }
  const [[key, value] = ['', undefined], ...others] = Object.entries(written)
  if (others.length > 0) return null
  if (key === 'value') return typeof value === 'object' ? null : { ...EMPTY, text: toText(value) }
  return key === 'valueFrom' ? tryReadReference(value) : null
}

function tryReadReference(written: unknown): Credential | null {
  if (typeof written !== 'object' || written === null) return null
  const [[source, place] = ['', undefined], ...others] = Object.entries(written as Record<string, unknown>)
  if (others.length > 0 || (source !== 'secretKeyRef' && source !== 'configMapKeyRef')) return null
  if (typeof place !== 'object' || place === null) return null
  const { name = '', key = '', ...more } = place as Record<string, unknown>
  if (typeof name !== 'string' || typeof key !== 'string' || Object.keys(more).length > 0) return null
  return { ...EMPTY, source, name, key }
}

/** As it is written into a row with a name of its own: `{value}` or `{valueFrom}`. */
export function toNamedValue({ source, text, name, key }: Credential): Readonly<Record<string, unknown>> {
  return source === 'value' ? { value: text } : { valueFrom: { [source]: { name, key } } }
}

/** As it is written into a field; undefined removes it. @param isWrapped written as `{value: …}`, which it stays */
export function toWrittenCredential(credential: Credential, isWrapped: boolean): unknown {
  if (credential.source !== 'value') return toNamedValue(credential)
  if (credential.text === '') return undefined
  return isWrapped ? { value: credential.text } : credential.text
}
