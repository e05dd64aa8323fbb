import { type Credential, NO_CREDENTIAL, type Source } from '../../ui/form/credential.ts'

/** Where a backend in Kubernetes finds a credential, as a row says it. */
const SCHEMES = { secretKeyRef: 'secret', configMapKeyRef: 'configmap' } as const
const REFERENCE = /^(?<scheme>secret|configmap):\/\/(?<name>[^/\s]+)\/(?<key>[^\s]+)$/

export const toCredentialText = ({ source, text, name, key }: Credential): string =>
  source === 'value' ? text : `${SCHEMES[source]}://${name.trim()}/${key.trim()}`

export function toCredential(text: string): Credential {
  const { scheme, name = '', key = '' } = REFERENCE.exec(text)?.groups ?? {}
  if (scheme === undefined) return { ...NO_CREDENTIAL, text }
  const source: Source = scheme === 'secret' ? 'secretKeyRef' : 'configMapKeyRef'
  return { source, text: '', name, key }
}
