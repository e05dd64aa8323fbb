// All advisory locks of the product, so that a new one finds a free number. A lock is a single number for something that exists once, a
// number with a row, or a row's own 64-bit key (`lockKey`), which a name keeps apart from other uses.
import { createHash } from 'node:crypto'

export const ADVISORY_LOCKS = {
  backendMigrations: 7_461_302,
  gatewayMigrations: 7_461_303,
  topologyRecorder: 7_461_311,
  onlyGateway: 7_461_312,
  playbookRunner: 7_461_370,
  /** With the id of a scraper. */
  scrape: 7_461_371,
  /** With the id of a topology. */
  topologySync: 7_461_372,
} as const

/** A lock of its own for each row: a 64-bit number of the name and the id. */
export const lockKey = (name: 'notification-rule' | 'incident-rule' | 'responder', id: string): string =>
  createHash('sha256').update(`${name} ${id}`).digest().readBigInt64BE().toString()
