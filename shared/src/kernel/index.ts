export { assertNever } from './assertNever.ts'
export { type CancelSignal, type Clock, sleep } from './clock.ts'
export { NIL_UUID } from './ids.ts'
export { type Result, failed, ok } from './result.ts'
