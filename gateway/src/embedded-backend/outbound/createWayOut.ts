import type { WayOut } from '../../check-runner/contract.ts'
import type { Network } from './createNetwork.ts'

/** The way out of the product's own checks and steps: what they ask comes back to people who may not know a machine's credentials. */
export const createWayOut = (network: Network): WayOut => ({
  openSocket: ({ isTls, insecureSkipVerify, ...target }) =>
    network.open({ ...target, tls: isTls ? { isInsecure: insecureSkipVerify } : null }),
  judge: async (target) => {
    await network.resolve(target)
  },
})
