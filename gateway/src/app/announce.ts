// What a person reads in the terminal. Everything else goes to the log.
import { isIP } from 'node:net'

import { assertNever } from '@watchroom/shared/kernel'

import { isLoopback } from '../platform/plainAddress.ts'
import { type Config, isDemo } from './config.ts'

/** What the embedded backend says once it is ready, for example who may sign in first; an external one says nothing. */
export interface FirstWords {
  readonly firstAdmin?: { readonly email: string; readonly password?: string | undefined } | undefined
  /** Of the accounts of the profile demo, while it runs. */
  readonly demoPassword?: string | undefined
  /** Why what people wrote is not executed here. */
  readonly programRefusal?: string | undefined
  /** Path under the backend's root, used up by its first visit. */
  readonly signInPath?: string | undefined
}

const DEMO_EXAMPLE = 'viewer@demo.watchroom.local'

/** Lines for stdout, once people can sign in. @param listensAt where this process is reached, whatever stands in front of it */
export function readyText(listensAt: string, config: Config, ready: FirstWords): string {
  const url = config.publicUrls?.[0] ?? listensAt
  const lines = [`Watchroom is ready: ${url}`]
  if (url !== listensAt) lines.push(`Listening on ${listensAt}`)
  lines.push(...signInLines(url, config, ready))
  if (ready.programRefusal !== undefined) lines.push(`Exec checks do not run here: ${ready.programRefusal}`)
  return `${lines.join('\n')}\n`
}

function signInLines(url: string, config: Config, { firstAdmin, demoPassword, signInPath }: FirstWords): string[] {
  const passwordFile = `${config.dataDirectory}/first-admin`
  switch (config.auth) {
    case 'hosted':
      // Nobody types a password here.
      return [`People sign in with ${config.oidcIssuer}`]
    case 'none': {
      const lines = ['Nobody signs in: everyone who reaches this address is an editor (WATCHROOM_AUTH=none)']
      if (firstAdmin?.password !== undefined) {
        lines.push(`The administrator's password, for WATCHROOM_AUTH=session, is in ${passwordFile}`)
      }
      return lines
    }
    case 'session': {
      const lines: string[] = []
      if (firstAdmin?.password !== undefined) {
        lines.push(`Sign in as ${firstAdmin.email} with the password ${firstAdmin.password}`)
        lines.push(`The password is shown this once; it is also in ${passwordFile}`)
      } else if (firstAdmin) {
        lines.push(`Sign in as ${firstAdmin.email} with the password from WATCHROOM_ADMIN_PASSWORD`)
      }
      if (demoPassword !== undefined) {
        lines.push(`The accounts of the demo, for example ${DEMO_EXAMPLE}, have the password ${demoPassword}`)
      }
      if (signInPath !== undefined) {
        lines.push(`Or open this link, it works once, within 15 minutes: ${url}/api${signInPath}`)
      }
      return lines
    }
    default:
      return assertNever(config.auth, 'way to sign in')
  }
}

/** What an operator should know about this configuration; one sentence each. */
export function warningsOf(config: Config): string[] {
  const warnings: string[] = []
  const isOpen = !isLoopback(config.host)
  if (isOpen && config.trustedProxy === undefined) {
    warnings.push(
      `${config.host} is reachable from other machines without TLS, so passwords and sessions travel in the clear: put a TLS proxy in front and set WATCHROOM_TRUSTED_PROXY to its address.`,
    )
  }
  if (isOpen && config.publicUrls === undefined && isIP(config.host) !== 0) {
    warnings.push(
      'Only IP addresses and localhost are answered: set WATCHROOM_PUBLIC_URL to the address at which people open it.',
    )
  }
  if (isOpen && isDemo(config)) {
    warnings.push(
      'The demo has an account for each role and is reachable from other machines: whoever knows its password is an administrator.',
    )
  }
  if (isOpen && config.auth === 'none') {
    warnings.push('WATCHROOM_AUTH=none lets everyone who reaches this address edit checks without signing in.')
  }
  if (config.backendUrl !== undefined && config.backendToken === undefined) {
    warnings.push(
      'BACKEND_TOKEN is not set: everyone is polled for with a credential of their own, and wallboards and shared documents stay dark.',
    )
  }
  if (config.redisUrl !== undefined) {
    warnings.push('REDIS_URL is set, but this version runs as a single gateway and does not use it.')
  }
  return warnings
}

/** One sentence for a failed `listen`, or undefined when the error is not about the address. */
export function listenProblem(error: unknown, config: Pick<Config, 'host' | 'port'>): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${config.port} on ${config.host} is already in use; stop the other program or choose another port with --port.`
    case 'EACCES':
      return `Port ${config.port} needs rights that this process does not have; choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${config.host} is not an address of this machine; choose another with --host.`
    default:
      return undefined
  }
}

/** Where a person on this machine finds the server. */
export function addressOf(host: string, port: number): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
