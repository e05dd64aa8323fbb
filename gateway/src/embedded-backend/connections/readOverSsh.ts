// SSH as tests of connections and checks of folders need it: one question, and away.
import type { Client, ClientChannel, FileEntryWithStats, SFTPWrapper } from 'ssh2'

import type { Network } from '../outbound/createNetwork.ts'
import { OutboundFault } from '../outbound/outboundFault.ts'

interface SshOptions {
  readonly network: Network
  readonly signal: AbortSignal
}

export interface SshTarget {
  readonly host: string
  readonly port: number
  readonly username: string
  /** Empty where a key is given. */
  readonly password: string
  readonly key: string
}

/** Of what a command says of its failure. */
const MAX_COMPLAINT_CHARACTERS = 500

/**
 * @returns the first bytes that the command prints; it is not waited for
 * @throws OutboundFault with its complaint where it prints nothing else
 */
export function readOverSsh(
  options: SshOptions,
  { command, maxBytes, ...target }: SshTarget & { readonly command: string; readonly maxBytes: number },
): Promise<string> {
  return withSsh(options, target, async (client) => {
    const channel = await new Promise<ClientChannel>((resolve, reject) => {
      client.exec(command, (error, opened) => (error ? reject(error) : resolve(opened)))
    })
    let complaint = ''
    channel.stderr.on('data', (piece: Buffer) => {
      complaint = (complaint + piece.toString('utf8')).slice(0, MAX_COMPLAINT_CHARACTERS)
    })
    let printed = ''
    for await (const piece of channel as AsyncIterable<Buffer>) {
      printed += piece.toString('utf8')
      // The list of refs ends so, and the other side waits then.
      if (printed.endsWith('0000') || printed.length >= maxBytes) break
    }
    if (printed === '' && complaint.trim() !== '') throw new OutboundFault(toReason(complaint))
    return printed
  })
}

/** The shell may say something before the command does. */
function toReason(complaint: string): string {
  const lines = complaint.trim().split('\n')
  return lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? ''
}

/** Opens the subsystem and resolves its first folder. */
export const openSftp = (options: SshOptions, target: SshTarget): Promise<string> =>
  askSftp(options, target, (sftp, done) => sftp.realpath('.', done))

/** What stands directly in a folder. */
export const listOverSftp = (options: SshOptions, target: SshTarget, path: string): Promise<FileEntryWithStats[]> =>
  askSftp(options, target, (sftp, done) => sftp.readdir(path, done))

type Done<Answer> = (error: Error | undefined, answer: Answer) => void

function askSftp<Answer>(
  options: SshOptions,
  target: SshTarget,
  ask: (sftp: SFTPWrapper, done: Done<Answer>) => void,
): Promise<Answer> {
  return withSsh(options, target, async (client) => {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
    })
    return new Promise<Answer>((resolve, reject) => {
      ask(sftp, (error, answer) => (error ? reject(error) : resolve(answer)))
    })
  })
}

async function withSsh<Answer>(
  { network, signal }: SshOptions,
  { host, port, username, password, key }: SshTarget,
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  // Loaded when it is wanted: few installations have such a connection.
  const { default: ssh2 } = await import('ssh2')
  const socket = await network.open({ host, port, tls: null, signal })
  const client = new ssh2.Client()
  let stop = (): void => undefined
  const ended = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('close', () => reject(new Error('the other side closed the connection')))
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  // Whoever comes second in the race below is not listened to any more.
  ended.catch(() => undefined)
  try {
    const ready = new Promise<void>((resolve) => client.once('ready', resolve))
    client.connect({
      sock: socket,
      username,
      ...(key === '' ? { password } : { privateKey: key, ...(password !== '' && { passphrase: password }) }),
    })
    await Promise.race([ready, ended])
    return await Promise.race([ask(client), ended])
  } finally {
    signal.removeEventListener('abort', stop)
    client.destroy()
    socket.destroy()
  }
}
