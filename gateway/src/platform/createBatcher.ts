/**
 * Combines many questions of one kind into few requests: one request at a time, and questions that arrive meanwhile share the next.
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
