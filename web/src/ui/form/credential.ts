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

export const NO_CREDENTIAL: Credential = { source: 'value', text: '', name: '', key: '' }
