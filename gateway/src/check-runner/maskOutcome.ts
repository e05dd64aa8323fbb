import { maskCredentials, PLAIN_HEADERS } from '@watchroom/shared/health/check-types'
import { SECRET_MASK } from '@watchroom/shared/kernel'

import type { CheckOutcome } from './contract.ts'

const SECRET_NAME = /pass|secret|token|credential|authorization|cookie|api[_-]?key|private/i
/** Replacing shorter texts would garble every message and protect nothing. */
export const MIN_SECRET_LENGTH = 4
const PLAIN = new Set(PLAIN_HEADERS)
/** Long texts are cut, and a cut may leave the start of a secret at the end: from this length on it is masked. */
const MIN_CUT_OFF_LENGTH = 6

/**
 * Every text of a run that must not appear in what is stored: values with a secret's name, environments, headers but the
 * plain ones, passwords in URLs, and what was filled in; each also in the encodings that others send it back in.
 */
export function collectSecrets(spec: unknown, filled: readonly string[] = []): string[] {
  const secrets = new Set<string>()
  const add = (text: string): void => {
    if (text.length < MIN_SECRET_LENGTH) return
    // `Bearer abc` is as secret in its second half alone, and of a certificate each line.
    const parts = [text, ...text.split(/\s+/).slice(1), ...text.split('\n')]
    const encoded = [text, ...parts].flatMap((part) => [
      part,
      encodeURIComponent(part),
      JSON.stringify(part).slice(1, -1),
      Buffer.from(part).toString('base64'),
    ])
    for (const part of encoded) if (part.length >= MIN_SECRET_LENGTH) secrets.add(part)
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
        visit(field, SECRET_NAME.test(key) || (key === 'value' && (isSecret || SECRET_NAME.test(named))))
      }
    }
  }
  visit(spec, false)
  for (const text of filled) add(text)
  for (const text of listedSecrets(spec)) add(text)
  return [...secrets].toSorted((a, b) => b.length - a.length)
}

/** Values of environments and headers, and user and password as they travel together. */
function listedSecrets(spec: unknown): string[] {
  const { env, headers, username, password } = Object(spec) as Record<string, unknown>
  const pairs = [...namedValues(env), ...namedValues(headers).filter(([name]) => !PLAIN.has(name.toLowerCase()))]
  const both = typeof username === 'string' && typeof password === 'string' ? [`${username}:${password}`] : []
  return [...pairs.map(([, value]) => value), ...both]
}

function namedValues(list: unknown): [string, string][] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    const { name, value } = Object(item) as Record<string, unknown>
    return typeof name === 'string' && typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
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

export const maskText = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => maskCutOff(masked.replaceAll(secret, SECRET_MASK), secret), maskCredentials(text))

/** The outcome without secrets, in every text and however deep. */
export const maskOutcome = (outcome: CheckOutcome, secrets: readonly string[]): CheckOutcome =>
  maskDocument(outcome, secrets) as CheckOutcome

export function maskDocument(document: unknown, secrets: readonly string[]): unknown {
  const mask = (text: string): string => maskText(text, secrets)
  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value)
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [mask(key), visit(field)]))
  }
  return visit(document)
}

function maskCutOff(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_CUT_OFF_LENGTH; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + SECRET_MASK
  }
  return text
}
