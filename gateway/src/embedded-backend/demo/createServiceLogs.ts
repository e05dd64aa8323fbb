// What the services of the invented estate write down: a line for each request that they answered, in a file for each namespace, with
// what went wrong in another. Of the time before the start it is made up, by the same behavior.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { createRotatingFile, type RotatingFile } from '../../platform/createRotatingFile.ts'
import { answerAt, type Service, type ServiceAnswer } from './behavior.ts'

export interface ServiceLogs {
  /** @param path of the request, `/namespace/group/service` */
  note(path: string, at: number, answer: ServiceAnswer): void
  close(): void
}

const LIMITS = { maxBytes: 4_000_000, maxOlder: 2 }
const PAST_MS = 2 * 3_600_000
/** Between two requests for one service, of those that are made up. */
const PAST_STEP_MS = 30_000
const GREEN = '\u001B[32m'
const RED = '\u001B[31m'
const PLAIN = '\u001B[0m'

export function createServiceLogs(
  dataDirectory: string,
  services: ReadonlyMap<string, Service>,
  startedAt: number,
): ServiceLogs {
  const folder = join(dataDirectory, 'logs', 'demo')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = new Map<string, RotatingFile>()

  const fileOf = (name: string): RotatingFile => {
    const known = files.get(name) ?? createRotatingFile(join(folder, `${name}.log`), LIMITS)
    files.set(name, known)
    return known
  }

  const writeAll = (lines: readonly Line[]): void => {
    const byFile = new Map<string, string>()
    for (const { file, text } of lines) byFile.set(file, `${byFile.get(file) ?? ''}${text}\n`)
    for (const [file, text] of byFile) fileOf(file).write(text)
  }

  const past = join(folder, 'made-up')
  if (statSync(past, { throwIfNoEntry: false }) === undefined) {
    const steps = Array.from({ length: PAST_MS / PAST_STEP_MS }, (_, step) => startedAt - PAST_MS + step * PAST_STEP_MS)
    writeAll(
      steps.flatMap((at) =>
        [...services].flatMap(([path, service]) => toLines(path, at, answerAt(service, at, startedAt))),
      ),
    )
    mkdirSync(past)
  }
  return {
    note: (path, at, answer) => writeAll(toLines(path, at, answer)),
    close: () => {
      for (const file of files.values()) file.close()
    },
  }
}

interface Line {
  readonly file: string
  readonly text: string
}

function toLines(path: string, at: number, { isUp, latencyMs }: ServiceAnswer): Line[] {
  const [, namespace = '', group = '', service = ''] = path.split('/')
  const time = new Date(at).toISOString()
  const took = Math.round(latencyMs)
  const level = isUp ? `${GREEN}INFO${PLAIN}` : `${RED}ERROR${PLAIN}`
  const access = { file: `${namespace}-access`, text: `${time} ${level} GET ${path} ${isUp ? 200 : 503} ${took} ms` }
  if (isUp) return [access]
  const msg = `${service} is not available\n  at answer (${group}/server.ts:41)\n  at connect (postgres://${group}:s3cret@db.${namespace}/main)`
  const facts = { time, level: 'error', service, group, status: 503, took, msg }
  return [access, { file: `${namespace}-errors`, text: JSON.stringify(facts) }]
}
