import { SECRET_MASK } from '@watchroom/shared/kernel'

/** A stored secret of a row: where its *** stands. */
export interface SecretPlace {
  /** Column, then keys and places in lists. */
  readonly path: readonly string[]
  /** 0: the whole value. */
  readonly span: number
  /** Of a secret within a text: characters (code points) before its ***. */
  readonly place: number | null
}

export interface FilledSecret extends SecretPlace {
  readonly value: unknown
}

/** A copy of the document with its secrets in place of their ***; one whose *** is not there any more is left out. */
export function fillSecrets(document: unknown, secrets: readonly FilledSecret[]): unknown {
  // From the end of a text to its start: what is filled in moves what follows.
  const inOrder = secrets.toSorted((a, b) => (b.place ?? 0) - (a.place ?? 0))
  return inOrder.reduce((filled, secret) => fillAt(filled, secret.path, secret), document)
}

function fillAt(value: unknown, path: readonly string[], secret: FilledSecret): unknown {
  const [step, ...rest] = path
  if (step === undefined) return fillValue(value, secret)
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === step ? fillAt(item, rest, secret) : item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? fillAt(item, rest, secret) : item]),
  )
}

function fillValue(value: unknown, secret: FilledSecret): unknown {
  if (typeof value !== 'string') return value
  if (secret.span === 0) return value === SECRET_MASK ? secret.value : value
  const characters = Array.from(value)
  const start = secret.place ?? 0
  if (characters.slice(start, start + SECRET_MASK.length).join('') !== SECRET_MASK) return value
  return [...characters.slice(0, start), String(secret.value), ...characters.slice(start + SECRET_MASK.length)].join('')
}
