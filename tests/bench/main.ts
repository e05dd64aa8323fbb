// Runs one benchmark: `tsx tests/bench/main.ts <name>`.
import { arch, cpus, platform, totalmem } from 'node:os'

import { type BenchTable, formatTable } from './table.ts'

const name = process.argv[2]
if (!name) throw new Error('usage: main.ts <benchmark>')
const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<BenchTable> }
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()}-${arch()}, Node ${process.versions.node}`
const table = await run()
console.log(
  formatTable({ ...table, notes: [...table.notes, `Machine: ${machine}.`, `Command: npm run bench ${name}.`] }),
)
process.exit(0)
