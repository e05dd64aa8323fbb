// What a step would need that agents are not given (ADR 22). Asked before a run starts, and by the agent that gets a step.

/** What is left of a stored secret: alone, as the password of an address, or behind the word that announces a token. */
const SEALED = /^\*\*\*$|:\*\*\*@|Bearer \*\*\*/

/**
 * @param action as it was written
 * @param secretParameters names of those whose values are secret
 * @returns in words; null when it needs none
 */
export function findSecretNeed(action: unknown, secretParameters: readonly string[]): string | null {
  if (hasSealed(action)) return 'a value that is stored as a secret'
  const text = textsOf(action).join('\n')
  const named = secretParameters.find((name) =>
    new RegExp(`\\bparams\\s*(?:\\.\\s*${name}(?![\\w-])|\\[\\s*["']${name}["'])`).test(text),
  )
  if (named !== undefined) return `the secret parameter ${named}`
  return hasConnection(action) ? 'a connection' : null
}

const hasSealed = (value: unknown): boolean => textsOf(value).some((text) => SEALED.test(text))

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const hasConnection = (action: unknown): boolean =>
  Object.values(Object(action) as Record<string, unknown>).some(
    (part) => typeof part === 'object' && part !== null && 'connection' in part && part.connection !== undefined,
  )
