// Ends a part of the embedded backend as a machine that has no memory left would: without a word.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { TestBackend } from './embeddedBackend.ts'
import { signalProcess } from './processes.ts'

export type Part = 'backend' | 'PostgreSQL'

export const killPart = (backend: TestBackend, part: Part): void =>
  signalProcess(part === 'backend' ? backend.supervisor.pid() : postmasterOf(backend), 'SIGKILL')

/** By its own file: the lowest number is another of its processes once the machine's numbers have begun again. */
export const postmasterOf = ({ dataDirectory }: TestBackend): number =>
  Number(readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
