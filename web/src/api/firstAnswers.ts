declare global {
  interface Window {
    /** By path, whole; undefined is what did not come. Only where the page asked ahead (`firstQuestions.js`). */
    watchroomAnswers?: Partial<Record<string, Promise<Response | undefined>>>
  }
}

/**
 * The answer to what the page asked while it began to load: to the first who asks, because the next one wants to know how it is by then.
 * A refusal or failure is none: whoever asks may have signed in since.
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
