// A stand-in for the gateway, as a process that a test can kill: holds the embedded backend and says when it is ready.
// Started with the data directory as its argument; prints one JSON line.
import { startEmbeddedBackend } from './embeddedBackend.ts'

const [dataDirectory = ''] = process.argv.slice(2)
const backend = await startEmbeddedBackend({ dataDirectory })
process.on('SIGTERM', () => void backend.stop().then(() => process.exit(0)))
process.stdout.write(
  `${JSON.stringify({ childPid: backend.supervisor.pid(), socketPath: backend.socketPath, databaseUrl: backend.databaseUrl })}\n`,
)
