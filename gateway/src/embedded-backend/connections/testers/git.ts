import { callHttp, expectSuccess, toBasic } from '../../outbound/callHttp.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import { readOverSsh } from '../readOverSsh.ts'
import type { Tester } from '../tester.ts'

const MAX_REDIRECTS = 3
/** `git@host:path`, as people write it for SSH. */
const SHORT = /^(?:(?<user>[^@/]+)@)?(?<host>[^@/:]+):(?<path>[^/].*)$/
/** What a repository begins its list of refs with. */
const REFS = /(?:^|\n|[0-9a-f]{4})[0-9a-f]{40,64} (?:HEAD|refs\/|capabilities)/
const MAX_LISTED_BYTES = 65_536

/** Reads the list of branches and tags, and finds the ref in it. */
export const testGit: Tester = async (connection, options) => {
  const address = connection.needed('url')
  const listed = /^https?:\/\//.test(address)
    ? await listOverHttp(address, connection, options)
    : await listOverSsh(address, connection, options)
  if (!REFS.test(listed)) throw new OutboundFault('it answers, but not like a git repository')
  const ref = connection.text('ref')
  const names = [`refs/heads/${ref}`, `refs/tags/${ref}`, ref]
  const isFound = names.some((name) => listed.includes(` ${name}\n`) || listed.includes(` ${name}\0`))
  if (!isFound && ref !== '' && listed.length < MAX_LISTED_BYTES)
    throw new OutboundFault(`the repository has no branch or tag named ${ref}`)
}

const listOverHttp: (address: string, ...rest: Parameters<Tester>) => Promise<string> = async (
  address,
  connection,
  { network, signal },
) => {
  const [username, password] = [connection.text('username'), connection.text('password')]
  const answer = await callHttp(network, signal, {
    url: `${address.replace(/\/+$/, '')}/info/refs?service=git-upload-pack`,
    ...(username + password !== '' && { headers: { authorization: toBasic(username, password) } }),
    redirects: MAX_REDIRECTS,
  })
  return expectSuccess(answer).text
}

const listOverSsh: (address: string, ...rest: Parameters<Tester>) => Promise<string> = (
  address,
  connection,
  options,
) => {
  const short = SHORT.exec(address)?.groups
  const url = short === undefined && URL.canParse(address) ? new URL(address) : null
  const path = short?.['path'] ?? url?.pathname
  if (path === undefined || (url !== null && url.protocol !== 'ssh:'))
    throw new OutboundFault('URL: it must begin with https://, http:// or ssh://')
  return readOverSsh(options, {
    host: short?.['host'] ?? url?.hostname ?? '',
    port: url === null || url.port === '' ? 22 : Number(url.port),
    username: connection.text('username') || (short?.['user'] ?? decodeURIComponent(url?.username ?? '')) || 'git',
    password: connection.text('password'),
    key: connection.text('certificate'),
    command: `git-upload-pack '${path.replaceAll("'", String.raw`'\''`)}'`,
    maxBytes: MAX_LISTED_BYTES,
  })
}
