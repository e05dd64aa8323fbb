// Steps of playbooks that this agent was given, on disk before they begin: what was begun is not begun again after a crash, and how
// it ended is told however long the upstream is away.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { GivenStepSchema, PushedStepSchema } from '@watchroom/shared/agents/upstream'
import type { Logger } from 'pino'
import { z } from 'zod'

import { writeDurably } from './writeDurably.ts'

const KeptStepSchema = z.object({
  action: GivenStepSchema.shape.action,
  /** Null: it was begun. */
  done: PushedStepSchema.nullable(),
})
export type KeptStep = z.infer<typeof KeptStepSchema>

export interface StepFiles {
  /** Of earlier starts. */
  readAll(): Promise<KeptStep[]>
  write(id: string, step: KeptStep): Promise<void>
  remove(id: string): Promise<void>
}

export async function openStepFiles(directory: string, logger: Logger): Promise<StepFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const pathOf = (id: string): string => join(directory, `${id}.json`)
  const read = async (name: string): Promise<KeptStep[]> => {
    try {
      return [KeptStepSchema.parse(JSON.parse(await readFile(join(directory, name), 'utf8')))]
    } catch (error) {
      logger.error({ err: error, file: name }, 'STEP LOST: its file cannot be read')
      return []
    }
  }
  return {
    readAll: async () => {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.json'))
      return (await Promise.all(names.map(read))).flat()
    },
    write: (id, step) => writeDurably(pathOf(id), JSON.stringify(step)),
    remove: (id) => rm(pathOf(id), { force: true }),
  }
}
