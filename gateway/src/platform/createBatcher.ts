/**
 * Many questions of one kind as few requests: one at a time, and whoever comes while it is under way is part of the next.
 *
 * @param ask about all of these keys at once
 */
export function createBatcher<Answer>(
  ask: (keys: readonly string[]) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  let running: Promise<unknown> = Promise.resolve()
  let next: { readonly keys: Set<string>; readonly answer: Promise<Answer> } | null = null

  const prepare = (): { readonly keys: Set<string>; readonly answer: Promise<Answer> } => {
    const keys = new Set<string>()
    const answer = running.then(() => {
      next = null
      return ask([...keys])
    })
    running = answer.catch(() => undefined)
    return { keys, answer }
  }

  return (key) => {
    next ??= prepare()
    next.keys.add(key)
    return next.answer
  }
}
