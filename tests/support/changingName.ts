import type { WayOut } from '../../gateway/src/check-runner/contract.ts'
import { createNetwork } from '../../gateway/src/embedded-backend/outbound/createNetwork.ts'

/** A name that stands for this machine when it is looked up, and for the metadata of a cloud ever after. */
export function changingName(): { readonly wayOut: WayOut; readonly lookUps: readonly string[] } {
  const lookUps: string[] = []
  const wayOut = createNetwork({
    lookUp: (host, _options, callback) => {
      const address = lookUps.length === 0 ? '127.0.0.1' : '169.254.169.254'
      lookUps.push(host)
      callback(null, [{ address, family: 4 }])
    },
  })
  return { wayOut, lookUps }
}
