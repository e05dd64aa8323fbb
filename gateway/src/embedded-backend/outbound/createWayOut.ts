import type { WayOut } from '../../check-runner/contract.ts'
import type { Network } from './createNetwork.ts'

/** The way out of what the product asks on the word of people, who may not know a machine's credentials. */
export const createWayOut = (network: Pick<Network, 'open'>): WayOut => ({
  openSocket: ({ isTls, insecureSkipVerify, ...target }) =>
    network.open({ ...target, tls: isTls ? { isInsecure: insecureSkipVerify } : null }),
})
