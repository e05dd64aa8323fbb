// The strict backend as a program, with an embedded backend of its own behind it: what browser journeys put a gateway in front of. With
// `--plain` it is that one alone, for journeys that kill the gateway and leave the backend.
// Prints where it is, and with what the gateway comes, as one line of JSON; ends with its standard input.
import { parseArgs } from 'node:util'

import { startEmbeddedBackend } from '../embeddedBackend.ts'
import { startStrictBackend } from './startStrictBackend.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    profile: { type: 'string', default: 'demo' },
    'public-url': { type: 'string' },
    'admin-email': { type: 'string' },
    plain: { type: 'boolean', default: false },
    'agent-offline-after-ms': { type: 'string', default: '61000' },
  },
})
const required = (value: string | undefined, name: string): string => {
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}

const embedded = await startEmbeddedBackend({
  dataDirectory: required(values.data, 'data'),
  profile: values.profile === 'empty' ? 'empty' : 'demo',
  publicUrl: required(values['public-url'], 'public-url'),
  adminEmail: required(values['admin-email'], 'admin-email'),
  adminPassword: required(process.env.WATCHROOM_ADMIN_PASSWORD, 'admin password'),
  demoPassword: required(process.env.WATCHROOM_DEMO_PASSWORD, 'demo password'),
  agentOfflineAfterMs: Number(values['agent-offline-after-ms']),
  logLevel: 'warn',
})
const { socketPath, serviceToken } = embedded
const { url, credential, close } = values.plain
  ? { url: embedded.url, credential: serviceToken, close: () => Promise.resolve() }
  : await startStrictBackend({ socketPath, serviceToken })
process.stdout.write(`${JSON.stringify({ url, credential })}\n`)

const stop = async (): Promise<void> => {
  await close()
  await embedded.stop()
  process.exit()
}
process.stdin.resume().once('end', () => void stop())
