// Takes credentials out of what scrapers found, before anything of it is asked, compared or stored. What counts as one is what
// the triggers of the tables count as one (`secretRules`).
import { ownValue, SECRET_MASK } from '@watchroom/shared/kernel'

import { MIN_SECRET_LENGTH } from '../../../check-runner/maskOutcome.ts'
import { isExemptName, isSecretName, SECRET_HINT, SECRET_TEXTS } from '../../secrets/secretNames.ts'

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/
/** Where a value is found, rather than the value. */
const REFERENCE =
  /^(?:(?:secret|configmap|helm|serviceaccount|connection):\/\/[^@]*|\$\([^()]*\)|\$\{[^{}]*\}|\{\{[^{}]*\}\})?$/
/** Members of an entry that say what its `value` is. */
const ENTRY_NAMES = ['name', 'key'] as const
/** Kubernetes names their values as people like. */
const SECRET_KIND = { kind: 'Secret', members: ['data', 'stringData'] } as const

export interface Masking {
  /** What must appear nowhere. */
  readonly secrets: readonly string[]
  /** A JSON value with *** for its credentials. */
  document(value: unknown): unknown
  text(words: string): string
  /** The value of something with this name. */
  named(name: string, words: string): string
}

/** @param secrets what the spec of the scraper was filled with: it must appear nowhere */
export function createMasking(secrets: readonly string[]): Masking {
  const longestFirst = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)

  const text = (words: string): string => {
    if (PRIVATE_KEY.test(words)) return SECRET_MASK
    const known = longestFirst.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), words)
    return SECRET_HINT.test(known) ? known.replace(SECRET_TEXTS, SECRET_MASK) : known
  }

  const mask = (value: unknown, mode: Mode): unknown => {
    if (typeof value === 'string') return mode === 'open' ? text(value) : hide(value)
    if (typeof value === 'number') return mode === 'open' ? value : SECRET_MASK
    if (Array.isArray(value)) return value.map((part) => mask(part, mode))
    if (typeof value !== 'object' || value === null) return value
    const record = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      Object.entries(record).map(([name, part]) => [name, mask(part, modeOfMember(record, name, mode))]),
    )
  }

  return {
    secrets,
    document: (value) => mask(value, 'open'),
    text,
    named: (name, words) => (isSecretName(name) ? hide(words) : text(words)),
  }
}

/** `secret`: all of it but what only says where it is; `sealed`: all of it. */
type Mode = 'open' | 'secret' | 'sealed'

const hide = (words: string): string => (REFERENCE.test(words) ? words : SECRET_MASK)

const isSecretWord = (value: unknown): boolean => typeof value === 'string' && isSecretName(value)

function modeOfMember(record: Readonly<Record<string, unknown>>, name: string, mode: Mode): Mode {
  if (mode === 'sealed') return mode
  if (ownValue(record, 'kind') === SECRET_KIND.kind && SECRET_KIND.members.some((member) => member === name))
    return 'sealed'
  if (name === 'valueFrom') return 'open'
  if (isSecretName(name)) return 'secret'
  if (name === 'value' && ENTRY_NAMES.some((member) => isSecretWord(ownValue(record, member)))) return 'secret'
  return mode === 'secret' && !isExemptName(name) ? 'secret' : 'open'
}
