/** An expected outcome: a failure that the caller decides on, as opposed to an error that is thrown. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure }

export const ok = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value })
export const failed = <Failure>(error: Failure): { ok: false; error: Failure } => ({ ok: false, error })
