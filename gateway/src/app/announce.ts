// What a person reads in the terminal. Everything else goes to the log.
import type { Config } from './config.ts'

/** Who may sign in first, as the embedded backend says; an external backend says nothing. */
export interface FirstSignIn {
  readonly firstAdmin?: { readonly email: string; readonly password?: string | undefined } | undefined
  /** Path under the backend's root, used up by its first visit. */
  readonly signInPath?: string | undefined
}

/** Lines for stdout, once people can sign in. */
export function readyText(url: string, config: Config, signIn: FirstSignIn): string {
  const { firstAdmin } = signIn
  const lines = [`Watchroom is ready: ${url}`]
  if (firstAdmin?.password !== undefined) {
    lines.push(`Sign in as ${firstAdmin.email} with the password ${firstAdmin.password}`)
    lines.push(`The password is shown this once; it is also in ${config.dataDirectory}/first-admin`)
  } else if (firstAdmin) {
    lines.push(`Sign in as ${firstAdmin.email} with the password from WATCHROOM_ADMIN_PASSWORD`)
  }
  if (signIn.signInPath !== undefined) lines.push(`Or open this link, it works once: ${url}/api${signIn.signInPath}`)
  return `${lines.join('\n')}\n`
}

/** What an operator should know about this configuration; one sentence each. */
export function warningsOf(config: Config): string[] {
  const warnings: string[] = []
  const isOpen = !isLoopbackHost(config.host)
  if (isOpen && config.trustedProxy === undefined) {
    warnings.push(
      `${config.host} is reachable from other machines without TLS, so passwords and sessions travel in the clear: put a TLS proxy in front and set WATCHROOM_TRUSTED_PROXY to its address.`,
    )
  }
  if (isOpen && config.auth === 'none') {
    warnings.push('WATCHROOM_AUTH=none lets everybody who reaches this address edit checks without signing in.')
  }
  if (config.backendUrl !== undefined && config.backendToken === undefined) {
    warnings.push('BACKEND_TOKEN is not set, so live topics work only if the backend answers without a credential.')
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

const isLoopbackHost = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
