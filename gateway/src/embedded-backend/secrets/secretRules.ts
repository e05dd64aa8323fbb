// What counts as a credential, as data for the triggers of migration 0025. Regular expressions of PostgreSQL, all of them
// read without regard to case. Kinds whose definition has a schema say it there; everything else is judged by names.
import { CHECK_SECRETS, PLAIN_HEADERS, type SecretKind } from '@watchroom/shared/health/check-types'

/** A key whose value is a secret. */
const NAMES = [
  'pass(word|wd|phrase|code)',
  '(^|[^a-z])pass($|[^a-z])',
  'pwd',
  'secret',
  'token',
  'credential',
  'authorization',
  'cookie',
  '(api|access|account|private|shared|signing|encryption|client|license|service|storage|master|session)[-_]?key',
  'key[-_]?json',
  'bearer',
  'webhook',
  '(^|[^a-z])dsn($|[^a-z])',
  'connection[-_]?string',
  '(^|[^a-z])sas($|[^a-z])',
  'kube[-_]?config',
  'last-applied-configuration',
]

/** Keys that look like one and only say where it is or how it is used. */
const EXEMPT =
  '(refs?|name|namespace|path|file|files|field|policy|ttl|expiry|expires|enabled|count|limit|max|min)$|(token|auth|secret)[a-z_-]*(ur[il]|endpoint|type)$|max[-_]?tokens'

/** Above what these words mean, in any text: one alternative each, whose match is the secret alone. */
const TEXTS = [
  // user and password of an address, and tokens in their place
  '(?<=://)[^[:space:]/?#\\\\"\'<>]+(?=@)',
  // parameters of an address, assignments, JSON in a text
  '(?<=[?&](key|sig|pwd|auth|code)=)[^&#[:space:]"\']+',
  '(?<=(token|secret|password|passwd|passphrase|signature|api[-_]?key|access[-_]?key|private[-_]?key|account[-_]?key)=["\']?)[^&#;,=[:space:]"\'${}()]+',
  '(?<=(token|secret|password|passwd|passphrase|api[-_]?key|access[-_]?key|private[-_]?key)"[[:space:]]*:[[:space:]]*")[^"${}]+',
  '(?<=(bearer|basic)[[:space:]]+)(\\*\\*\\*|(?=[^[:space:]"\']*[0-9])[a-z0-9._~+/-]{8,}=*)',
  // addresses that are a credential themselves
  '(?<=hooks\\.slack\\.com/services/)[^[:space:]"\'?#]+',
  '(?<=discord(app)?\\.com/api/webhooks/)[^[:space:]"\'?#]+',
  '(?<=webhook\\.office\\.com/webhookb2/)[^[:space:]"\'?#]+',
]

/** Keys that decide who receives a credential: addresses, scripts, and how safe the way there is. */
const ADDRESSES = [
  'ur[il]$',
  'host(s|name|names|_?port)?$',
  'servers?$',
  'addr(ess|esses|s)?$',
  'endpoints?$',
  '^connections?$',
  '^(script|scripts|command|cmd|args|entrypoint|image|file|exec)$',
  '^(repo|repository|bucket|region|port|scheme|protocol|domain|tenant|cluster|broker|brokers|service|type|agent_id)$',
  '^(tls|ssl|insecure.*|.*skip_?verify.*|.*_?ca|ca_?cert.*)$',
  'proxy',
  'webhook',
  '(^|[^a-z])dsn($|[^a-z])',
  'connection[-_]?string',
  'kube[-_]?config',
  // What a program is given decides what it does.
  '^env(s|ironment|_?vars?)?$',
  '^(forwarded|x-original-url|x-rewrite-url)$',
]

const either = (alternatives: readonly string[]): string => alternatives.map((one) => `(${one})`).join('|')

export const SECRET_RULES = {
  names: either(NAMES),
  exempt: EXEMPT,
  texts: either(TEXTS),
  addresses: either(ADDRESSES),
  plainHeaders: PLAIN_HEADERS,
  /** Keys whose values are words for people, whatever they are called. */
  plain: [] as readonly string[],
  /** A document without any of these has no secret; saves reading it closely. */
  hint: either([
    ...NAMES,
    '\\*\\*\\*',
    '://[^/]*@',
    'header',
    '"env',
    'private key',
    'basic',
    'signature',
    'key=',
    'sig=',
    'auth=',
    'code=',
    'hooks\\.slack\\.com',
  ]),
  kinds: CHECK_SECRETS as Readonly<Record<string, Readonly<Record<string, SecretKind>>>>,
  tables: {
    // Wizards show fixed fields and templates of a client in their forms (ADR 7).
    teams: { wide: '^(user|username|key|certificate)$', plain: ['values', 'defaults'], hint: '' },
    connections: { wide: '^(username|certificate)$', hint: '' },
  },
}
