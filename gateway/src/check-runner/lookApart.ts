// Has expressions evaluated in a process of their own, one after the other; those that come meanwhile go there together. Time and
// size of what people wrote cannot be bounded from within the library.
import { createApartProcess } from '../platform/createApartProcess.ts'
import type { Look, LookAnswer } from './evaluateLook.ts'

/** Evaluates an expression; never rejects. */
export type LookUp = (look: Look) => Promise<LookAnswer>

/** A message of many large answers would be some hundred megabytes. */
const MAX_TOGETHER = 16

const askProcess = createApartProcess<readonly LookAnswer[]>({
  bundle: 'expression-process.js',
  source: new URL('./expressionProcess.ts', import.meta.url),
  // An answer of a target as JSON is some megabytes; what is made of it must not be many times that.
  maxHeapMb: 96,
  // The process itself gives up much earlier; this is for one that cannot.
  killAfterMs: 5_000,
})

let waiting: { readonly look: Look; readonly tell: (answer: LookAnswer) => void }[] = []
let isAsking = false

export const lookApart: LookUp = (look) =>
  new Promise((tell) => {
    waiting.push({ look, tell })
    void askWaiting()
  })

async function askWaiting(): Promise<void> {
  if (isAsking) return
  isAsking = true
  while (waiting.length > 0) {
    const asked = waiting.slice(0, MAX_TOGETHER)
    waiting = waiting.slice(MAX_TOGETHER)
    const answers = await lookTogether(asked.map(({ look }) => look))
    for (const [index, { tell }] of asked.entries()) tell(answers[index] ?? toProblem('not started'))
  }
  isAsking = false
}

/** When they come to no end, each is asked for itself, to find the one that it is. */
async function lookTogether(looks: readonly Look[]): Promise<readonly LookAnswer[]> {
  const together = await askProcess(looks)
  if ('value' in together) return together.value
  if (looks.length === 1) return [toProblem(together.fault)]
  const answers: LookAnswer[] = []
  for (const look of looks) answers.push(...(await lookTogether([look])))
  return answers
}

const FAULTS = {
  'not started': 'cannot be evaluated now: its process does not start',
  'too long': 'takes too long on this answer',
  'too much memory': 'needs too much memory on this answer',
} as const

/** The process ends what takes too long by itself, so one that does not answer got no processor time. */
const toProblem = (fault: keyof typeof FAULTS): LookAnswer => ({
  problem: { text: FAULTS[fault], isMalformed: false, ...(fault !== 'too much memory' && { isPassing: true }) },
})
