// What names the files of a folder behind a connection: one file per kind of storage beside this one.
import type { FileFacts } from '../../../check-runner/contract.ts'
import type { Network } from '../../outbound/createNetwork.ts'
import type { OpenedConnection } from '../../outbound/openedConnection.ts'

export interface ListOptions {
  readonly network: Network
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** @throws OutboundFault when the other side refuses it, and the errors of the network */
export type FolderLister = (
  connection: OpenedConnection,
  path: string,
  options: ListOptions,
) => AsyncIterable<readonly FileFacts[]>
