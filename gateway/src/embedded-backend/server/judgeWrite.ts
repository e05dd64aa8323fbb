// Checks of rows before the database sees them: rules that a table cannot express, because they look at this machine.
import type { FastifyRequest } from 'fastify'

/** @returns what keeps a row from being written, beginning with its column (`spec.file.0: …`), or null */
export type JudgeRow = (row: Readonly<Record<string, unknown>>) => Promise<string | null>

/** By table. */
export type RowJudges = ReadonlyMap<string, JudgeRow>

const WRITES: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT'])
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i

/** Whether rows come in a form that nobody here can judge, as CSV, while the database would take it. */
export const isUnreadableWrite = ({ method, headers }: FastifyRequest, table: string, judges: RowJudges): boolean =>
  judges.has(table) && WRITES.has(method) && !JSON_TYPE.test(headers['content-type'] ?? 'application/json')

/** @param table from the path of the call */
export async function judgeWrite(request: FastifyRequest, table: string, judges: RowJudges): Promise<string | null> {
  const judge = judges.get(table)
  if (!judge || !WRITES.has(request.method) || !(request.body instanceof Uint8Array)) return null
  for (const row of rowsOf(request.body)) {
    const wrong = await judge(row)
    if (wrong !== null) return wrong
  }
  return null
}

/** None where the body cannot be read: the database says so itself. */
function rowsOf(body: Uint8Array): Readonly<Record<string, unknown>>[] {
  try {
    const parsed = JSON.parse(Buffer.from(body).toString('utf8')) as unknown
    const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    return rows.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
  } catch {
    return []
  }
}
