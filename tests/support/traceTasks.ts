import type { Browser, Page } from 'playwright'
import { z } from 'zod'

const TraceSchema = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      /** Microseconds of the processor. */
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
})

/**
 * What happens on a page, and how long the processor had to work for its longest task: other than frames this says the same on a busy
 * machine. Chromium only.
 */
export async function traceTasks<Value>(
  browser: Browser,
  page: Page,
  work: () => Promise<Value>,
): Promise<{ value: Value; longestMs: number }> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  let trace: Buffer
  let value: Value
  try {
    value = await work()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = TraceSchema.parse(JSON.parse(trace.toString()))
  const threadOf = ({ pid, tid }: { pid: number; tid: number }): string => `${pid} ${tid}`
  const pages = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  )
  const tasks = traceEvents.filter((event) => event.ph === 'X' && pages.has(threadOf(event)))
  return { value, longestMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000)) }
}
