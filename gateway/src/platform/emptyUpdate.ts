import { NIL_UUID } from '@watchroom/shared/kernel'

import type { BackendRequest } from './httpClient.ts'

/** An update that matches no row: a backend checks rights for it as for any other. */
export const emptyUpdate = (table: string, column: string): BackendRequest => ({
  method: 'PATCH',
  path: `/db/${table}?id=eq.${NIL_UUID}`,
  headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
  body: JSON.stringify({ [column]: null }),
})
