/**
 * Marks a branch that the types say cannot be reached.
 *
 * @throws Error always: reaching it is a bug of ours
 */
export function assertNever(value: never, context: string): never {
  throw new Error(`unreachable: ${context} got ${JSON.stringify(value)}`)
}
