import { NIL_UUID } from '@watchroom/shared/kernel'

import type { BackendRequest } from './httpClient.ts'

/** An update that meets no row: a backend judges it like any other. */
export const emptyUpdate = (table: string, column: string): BackendRequest => ({
  method: 'PATCH',
  path: `/db/${table}?id=eq.${NIL_UUID}`,
  headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
  body: JSON.stringify({ [column]: null }),
})
