// The processes that the product consists of on this machine, and what listens here. Of other programs only their well-known
// ports are told: which ports come and go with every client is nobody's configuration.
import { readdir, readFile, readlink } from 'node:fs/promises'

import { HOST_ID } from './readHost.ts'
import { INSTALLATION_ID, type SelfItem } from './selfItem.ts'

/** What of `/proc/{pid}/stat` is asked. */
export interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly program: string
}

export interface Listener {
  readonly port: number
  readonly address: string
  readonly inode: string
}

export interface OwnProcess {
  readonly role: 'gateway' | 'backend' | 'postgresql' | 'postgrest'
  readonly pid: number
}

/** Where Linux begins to hand out ports unless it is told otherwise. */
const DEFAULT_FIRST_EPHEMERAL = 32_768
const LISTENING = '0A'
/** Started by us, and named by how they call themselves. */
const CHILDREN: ReadonlyMap<string, OwnProcess['role']> = new Map([
  ['postgres', 'postgresql'],
  ['postgrest', 'postgrest'],
])

export async function readProcesses(version: string): Promise<SelfItem[]> {
  const own = findOwn(await listProcesses(), {
    backend: process.pid,
    // A backend that stands alone has no gateway above it.
    gateway: process.connected ? process.ppid : null,
  })
  const listeners = [
    ...parseListeners(await readText('/proc/net/tcp')),
    ...parseListeners(await readText('/proc/net/tcp6')),
  ]
  const owners = await findOwners(own)
  const firstEphemeral = Number(
    /^\d+/.exec(await readText('/proc/sys/net/ipv4/ip_local_port_range'))?.[0] ?? DEFAULT_FIRST_EPHEMERAL,
  )
  return [...own.map((each) => toProcess(each, version)), ...toPorts(listeners, owners, firstEphemeral)]
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

async function listProcesses(): Promise<ProcessFacts[]> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => readText(`/proc/${pid}/stat`)),
  )
  return stats.flatMap((stat) => {
    const facts = parseStat(stat)
    return facts === null ? [] : [facts]
  })
}

/** A program may have called itself anything, with spaces and brackets. */
export function parseStat(stat: string): ProcessFacts | null {
  const match = /^(\d+) \((.*)\) \S (\d+) /s.exec(stat)
  return match ? { pid: Number(match[1]), program: match[2] ?? '', parent: Number(match[3]) } : null
}

/** Gateway, backend, and the servers that were started below the backend; what those start themselves is theirs. */
export function findOwn(
  processes: readonly ProcessFacts[],
  known: { readonly backend: number; readonly gateway: number | null },
): OwnProcess[] {
  const found: OwnProcess[] = [{ role: 'backend', pid: known.backend }]
  if (known.gateway !== null) found.unshift({ role: 'gateway', pid: known.gateway })
  const visit = (parent: number): void => {
    for (const { pid, program } of processes.filter((each) => each.parent === parent)) {
      const role = CHILDREN.get(program)
      if (role === undefined) visit(pid)
      else found.push({ role, pid })
    }
  }
  visit(known.backend)
  return found
}

/** Lines of `/proc/net/tcp` and `/proc/net/tcp6` that listen. */
export function parseListeners(text: string): Listener[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const [address = '', port = ''] = local.split(':')
    if (state !== LISTENING) return []
    return [{ port: Number.parseInt(port, 16), address: toAddress(address), inode }]
  })
}

/** The kernel writes each four bytes of an address as a number of the machine, which has its last byte first. */
function toAddress(hex: string): string {
  const words = (hex.match(/.{8}/g) ?? []).map((word) => (word.match(/../g) ?? []).toReversed())
  const bytes = words.flat()
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    Number.parseInt(bytes.slice(2 * index, 2 * index + 2).join(''), 16),
  )
  if (groups.every((group) => group === 0)) return '::'
  // An address of IPv4 in the clothes of IPv6.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff) {
    return bytes
      .slice(12)
      .map((byte) => Number.parseInt(byte, 16))
      .join('.')
  }
  return groups
    .map((group) => group.toString(16))
    .join(':')
    .replace(/(?:^|:)(?:0:){2,}/, '::')
}

/** Whose socket an inode is, of our own processes. */
async function findOwners(own: readonly OwnProcess[]): Promise<Map<string, OwnProcess>> {
  const owners = new Map<string, OwnProcess>()
  for (const each of own) {
    // PostgreSQL runs as another user under root; what it has open it tells nobody else.
    const files = await readdir(`/proc/${each.pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${each.pid}/fd/${file}`).catch(() => '')))
    for (const link of links) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1]
      if (inode !== undefined) owners.set(inode, each)
    }
  }
  return owners
}

const processId = ({ role }: OwnProcess): string => `process/${role}`

function toProcess(own: OwnProcess, version: string): SelfItem {
  const isOurs = own.role === 'gateway' || own.role === 'backend'
  return {
    id: processId(own),
    name: own.role,
    type: 'Watchroom::Process',
    class: 'Process',
    parent: isOurs ? INSTALLATION_ID : 'process/backend',
    status: 'Running',
    health: 'healthy',
    config: { role: own.role, pid: own.pid, ...(isOurs && { version, runtime: `Node.js ${process.versions.node}` }) },
    relationships: [{ id: HOST_ID, relation: 'RunsOn' }],
  }
}

export function toPorts(
  listeners: readonly Listener[],
  owners: ReadonlyMap<string, OwnProcess>,
  firstEphemeral: number,
): SelfItem[] {
  return [...new Set(listeners.map(({ port }) => port))].flatMap((port) => {
    const heard = listeners.filter((each) => each.port === port)
    const owner = heard.flatMap(({ inode }) => owners.get(inode) ?? [])[0]
    if (owner === undefined && port >= firstEphemeral) return []
    return [
      {
        id: `port/tcp/${port}`,
        name: `tcp ${port}`,
        type: 'Host::Port',
        class: 'Port',
        parent: owner === undefined ? HOST_ID : processId(owner),
        status: 'Listening',
        config: { protocol: 'tcp', port, addresses: [...new Set(heard.map(({ address }) => address))].toSorted() },
        relationships: owner === undefined ? [] : [{ id: HOST_ID, relation: 'ListensOn' }],
      },
    ]
  })
}
