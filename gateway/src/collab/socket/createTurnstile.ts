/**
 * Lets a few through in each turn of the event loop, so that a crowd that arrives at once does not block it.
 *
 * @returns resolves when it is one's turn; false when too many wait already
 */
export function createTurnstile(options: { perTurn: number; maxWaiting: number }): () => Promise<boolean> {
  const waiting: ((isLetIn: boolean) => void)[] = []
  let isPlanned = false

  const plan = (): void => {
    if (isPlanned || waiting.length === 0) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      for (const letIn of waiting.splice(0, options.perTurn)) letIn(true)
      plan()
    })
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length >= options.maxWaiting) return resolve(false)
      waiting.push(resolve)
      plan()
    })
}
