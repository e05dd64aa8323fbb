// A program: a gateway around a backend that belongs to it and is a process of its own. Arguments and environment are those of
// the real main (gatewayProcess.ts).
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { startGateway } from './gateway.ts'

const { BACKEND_URL: url = '', BACKEND_TOKEN: token = '', DATABASE_URL: databaseUrl = '' } = process.env
const { values } = parseArgs({ options: { port: { type: 'string' } } })
const gateway = await startGateway({
  backend: { url, token, databaseUrl, isOwn: true },
  port: Number(values.port),
  webRoot: fileURLToPath(new URL('../../web/dist', import.meta.url)),
})
process.stdout.write(`The gateway is ready: ${gateway.url}\n`)
process.once('SIGTERM', () => void gateway.stop().then(() => process.exit(0)))
