// One hostile client in a process of its own, so that its work is not counted as the honest ones' waiting. Not part of the product;
// only `npm run bench hostile` starts it, and tells it by one message what to do.
import { type HostileTask, runAttack } from './hostileAttacks.ts'

process.on('message', (task: HostileTask) => void runAttack(task).then(() => process.exit(0)))
