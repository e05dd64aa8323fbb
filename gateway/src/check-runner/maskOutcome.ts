import { maskCredentials } from '@watchroom/shared/health/check-types'

import type { CheckOutcome } from './contract.ts'

const SECRET_NAME = /pass|secret|token|credential|authorization|cookie|api[_-]?key|private/i
/** Replacing shorter texts would garble every message and protect nothing. */
const MIN_SECRET_LENGTH = 4
const MASK = '***'

/** Every text of a spec that must not appear in what is stored: values with a secret's name, passwords in URLs. */
export function collectSecrets(spec: unknown): string[] {
  const secrets = new Set<string>()
  const add = (text: string): void => {
    // `Bearer abc` is as secret in its second half alone.
    for (const part of [text, ...text.split(/\s+/).slice(1)]) if (part.length >= MIN_SECRET_LENGTH) secrets.add(part)
  }
  const visit = (value: unknown, isSecret: boolean): void => {
    if (typeof value === 'string') {
      if (isSecret) add(value)
      for (const password of urlPasswords(value)) add(password)
    } else if (Array.isArray(value)) {
      for (const element of value) visit(element, isSecret)
    } else if (typeof value === 'object' && value !== null) {
      const named = 'name' in value && typeof value.name === 'string' && 'value' in value ? value.name : ''
      for (const [key, field] of Object.entries(value)) {
        visit(field, SECRET_NAME.test(key) || (key === 'value' && SECRET_NAME.test(named)))
      }
    }
  }
  visit(spec, false)
  return [...secrets].toSorted((a, b) => b.length - a.length)
}

function urlPasswords(text: string): string[] {
  if (!text.includes('://') || !URL.canParse(text)) return []
  const { password } = new URL(text)
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    // A stray percent sign: the password is what is written.
    return [password]
  }
}

/** The outcome without secrets, in every text and however deep. */
export function maskOutcome(outcome: CheckOutcome, secrets: readonly string[]): CheckOutcome {
  const mask = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), maskCredentials(text))
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value)
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [mask(key), visit(field)]))
  }
  return visit(outcome) as CheckOutcome
}
