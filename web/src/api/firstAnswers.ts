declare global {
  interface Window {
    /** By full path; undefined if no answer came. Only where the page asked ahead (`firstQuestions.js`). */
    watchroomAnswers?: Partial<Record<string, Promise<Response | undefined>>>
  }
}

/**
 * The answer to a request that the page made while it was loading. It goes to the first caller only: a later one wants the current state.
 * A refusal or failure does not count, because the person may have signed in since.
 */
export async function takeFirstAnswer(path: string, signal: AbortSignal): Promise<Response | undefined> {
  const answers = window.watchroomAnswers
  const answer = answers?.[path]
  if (!answer) return undefined
  delete answers[path]
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const given = await Promise.race([answer, aborted])
  return given?.ok ? given : undefined
}
