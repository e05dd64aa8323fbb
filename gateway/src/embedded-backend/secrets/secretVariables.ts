// Which values of an environment are credentials. All of them are hidden from readers and from what programs say. But `SITE=harbour`
// is also a word of ids and names, which must stay what they are.
import { ownValue } from '@watchroom/shared/kernel'

import { MIN_SECRET_LENGTH } from '../../check-runner/maskOutcome.ts'
import { isSecretName, SECRET_TEXTS } from './secretNames.ts'

/** As migration 0025 knows it. */
const ENVIRONMENT = /^env(?:s|ironment|_?vars?)?$/i
/** Letters and digits in one word this long: a token, whatever it is called. Hosts, regions and UUIDs have shorter ones. */
const TOKEN = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}/i

export function isSecretVariable({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (value.length < MIN_SECRET_LENGTH) return false
  return isSecretName(name) || value.search(SECRET_TEXTS) !== -1 || TOKEN.test(value)
}

/**
 * The name of the variable whose value stands at a path; null for anything else.
 *
 * @param path in `document`: `…, env, 0, value`, or `…, env, NAME`
 */
export function variableAt(document: unknown, path: readonly string[]): string | null {
  const last = path.at(-1) ?? ''
  const isListed = last === 'value'
  if (!ENVIRONMENT.test(path.at(isListed ? -3 : -2) ?? '')) return null
  if (!isListed) return last
  const entry = path
    .slice(0, -1)
    .reduce((value: unknown, step) => ownValue(Object(value) as Record<string, unknown>, step), document)
  const { name } = Object(entry) as Record<string, unknown>
  return typeof name === 'string' ? name : null
}
