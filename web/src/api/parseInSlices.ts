import type { z } from 'zod'

/** Rows parsed before the page gets a turn: a few milliseconds. */
const SLICE = 100

/**
 * Parses the rows of a long answer and lets the page run in between.
 *
 * @throws ZodError
 */
export async function parseInSlices<Row>(rows: readonly unknown[], schema: z.ZodType<Row>): Promise<Row[]> {
  const parsed: Row[] = []
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await nextTurn()
    for (const row of rows.slice(at, at + SLICE)) parsed.push(schema.parse(row))
  }
  return parsed
}

/** A message is a task of its own, without the delay of a timer. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
