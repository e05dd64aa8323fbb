// Runs one benchmark: `tsx tests/bench/main.ts <name> [options]`.
import { arch, cpus, platform, totalmem } from 'node:os'

import { type BenchTable, formatTable } from './table.ts'

const [name, ...options] = process.argv.slice(2)
if (!name) throw new Error('usage: main.ts <benchmark>')
const { run } = (await import(`./${name}.ts`)) as { run: (options: string[]) => Promise<BenchTable> }
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()}-${arch()}, Node ${process.versions.node}`
const table = await run(options)
console.log(
  formatTable({
    ...table,
    notes: [
      ...table.notes,
      `Machine: ${machine}.`,
      `Command: npm run bench ${[name, ...(options.length > 0 ? ['--', ...options] : [])].join(' ')}.`,
    ],
  }),
)
process.exit(0)
