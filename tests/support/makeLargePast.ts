// Makes the past of the large estate, as a process that a test can kill. Started with the address of a database, a data directory
// and the measures of the past.
import { toLargePast } from '../../gateway/src/embedded-backend/demo/catalog/largeEstate.ts'
import { runPast } from '../../gateway/src/embedded-backend/demo/catalog/runPast.ts'
import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createVault } from '../../gateway/src/embedded-backend/secrets/createVault.ts'
import { prepareSecretKey } from '../../gateway/src/embedded-backend/secrets/secretKey.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { silentLogger } from './runDeps.ts'

const [databaseUrl = '', dataDirectory = '', ...measures] = process.argv.slice(2)
const [count, stepDays, since = Number.NaN, until = Number.NaN] = measures.map(Number)
const pool = createPool(databaseUrl, silentLogger)
const vault = createVault({ pool, key: prepareSecretKey(dataDirectory) })
const { signal } = new AbortController()
await runPast({ pool, vault, clock: systemClock, logger: silentLogger }, toLargePast(count, stepDays), {
  since,
  until,
  signal,
  quietMs: 0,
  rest: 0,
})
await pool.end()
