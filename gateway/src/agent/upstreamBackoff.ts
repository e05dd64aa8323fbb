import type { BackoffPolicy } from '@watchroom/shared/kernel'

/** Until the upstream is asked again. */
export const UPSTREAM_BACKOFF: BackoffPolicy = { firstMs: 500, maxMs: 30_000 }
