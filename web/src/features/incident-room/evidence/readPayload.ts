import { z } from 'zod'

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** What other programs attached may lack anything; what cannot be read is left out. */
const LogLineSchema = z.object({
  id: z.string().nullish().catch(null),
  timestamp: z.string().nullish().catch(null),
  message: text.catch(''),
  labels: z
    .record(z.string(), text)
    .nullish()
    .catch(null)
    .transform((labels) => labels ?? {}),
})
type LogLine = z.infer<typeof LogLineSchema>

type Payload = Readonly<Record<string, unknown>> | null

export function readLogLines(payload: Payload): LogLine[] {
  const lines = payload?.['lines']
  if (!Array.isArray(lines)) return []
  return lines.flatMap((line) => {
    const parsed = LogLineSchema.safeParse(line)
    return parsed.success ? [parsed.data] : []
  })
}

const NumberedLinesSchema = z.record(z.string(), text).catch({})

export interface ConfigPayload {
  readonly lines: Readonly<Record<string, string>>
  readonly selectedLines: Readonly<Record<string, string>>
  readonly configName: string | null
  readonly configType: string | null
}

export function readConfigPayload(payload: Payload): ConfigPayload {
  return {
    lines: NumberedLinesSchema.parse(payload?.['lines'] ?? {}),
    selectedLines: NumberedLinesSchema.parse(payload?.['selected_lines'] ?? {}),
    configName: toText(payload?.['configName']),
    configType: toText(payload?.['configType']),
  }
}

/** Words of a comment that is evidence; older consoles keep them in the description alone. */
export function readComment(payload: Payload, description: string): string {
  return toText(payload?.['comment']) ?? description
}

/** How a component or an insight stood as it was attached; not every console writes it down. */
export function readState(payload: Payload): { readonly health: string | null; readonly status: string | null } | null {
  const [health, status] = [toText(payload?.['health']), toText(payload?.['status'])]
  return health === null && status === null ? null : { health, status }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
