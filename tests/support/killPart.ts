// Ends a part of the embedded backend as a machine that has no memory left would: without a word.
import { dirname } from 'node:path'

import type { TestBackend } from './embeddedBackend.ts'
import { processesNaming, signalProcess } from './processes.ts'

export type Part = 'backend' | 'PostgreSQL'

export function killPart(backend: TestBackend, part: Part): void {
  if (part === 'backend') return signalProcess(backend.supervisor.pid(), 'SIGKILL')
  const name = dirname(backend.socketPath).split('/').at(-1) ?? ''
  const postgres = processesNaming(name).filter(({ command }) => /^\S*\/postgres(?:\s|$)/.test(command))
  signalProcess(Math.min(...postgres.map(({ pid }) => pid)), 'SIGKILL')
}
