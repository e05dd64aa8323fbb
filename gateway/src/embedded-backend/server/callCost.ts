// Estimates how much work a call causes in the database, in milliseconds, as far as that shows from outside.
import { cpus, loadavg } from 'node:os'

/** A query that anyone may repeat as often as they like. */
const EASY_MS = 100
/** What is read, packed and sent, or parsed and stored, in a millisecond; nobody counts less than a few pages of a list. */
const BYTES_PER_MS = 10_000
const EASY_BYTES = 16_384
/** Counted once: the system takes longer to list them than to serve a small call. */
const PROCESSORS = Math.max(1, cpus().length)

/** How many times longer everything takes because others want the processors too; 1 where nobody has to wait. */
export const currentLoad = (): number => Math.max(1, (loadavg()[0] ?? 0) / PROCESSORS)

/** A query that takes long because the machine is busy does no more work: nobody pays for what others do. */
export const costOfTime = (elapsedMs: number, load: number): number => Math.max(0, elapsedMs / load - EASY_MS)

export const costOfBytes = (bytes: number): number => Math.max(0, bytes - EASY_BYTES) / BYTES_PER_MS
