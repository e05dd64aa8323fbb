import { type Credential, NO_CREDENTIAL } from '../../../ui/form/credential.ts'
import { toText } from '../../../ui/form/toText.ts'

/** Null when the form could not show it without losing a part. */
export function tryReadCredential(written: unknown): Credential | null {
  if (written === undefined || written === null) return NO_CREDENTIAL
  if (typeof written !== 'object') return { ...NO_CREDENTIAL, text: toText(written) }
  const [[key, value] = ['', undefined], ...others] = Object.entries(written)
  if (others.length > 0) return null
  if (key === 'value') return typeof value === 'object' ? null : { ...NO_CREDENTIAL, text: toText(value) }
  return key === 'valueFrom' ? tryReadReference(value) : null
}

function tryReadReference(written: unknown): Credential | null {
  if (typeof written !== 'object' || written === null) return null
  const [[source, place] = ['', undefined], ...others] = Object.entries(written as Record<string, unknown>)
  if (others.length > 0 || (source !== 'secretKeyRef' && source !== 'configMapKeyRef')) return null
  if (typeof place !== 'object' || place === null) return null
  const { name = '', key = '', ...more } = place as Record<string, unknown>
  if (typeof name !== 'string' || typeof key !== 'string' || Object.keys(more).length > 0) return null
  return { ...NO_CREDENTIAL, source, name, key }
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
