// What a Node process of ours needs of our environment. A list of what passes, not of what does not: the next variable with a
// secret is then left out without anyone thinking of it, and PG* variables cannot bend a connection.

const NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'XDG_CACHE_HOME',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Windows has no sockets without it.
  'SystemRoot',
])
/** Locale, and how Node itself is run: options, certificates, coverage. */
const PREFIXES = ['LC_', 'NODE_'] as const

export function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  )
}
