import type { WayOut } from '../../gateway/src/check-runner/contract.ts'
import { createNetwork } from '../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import { createWayOut } from '../../gateway/src/embedded-backend/outbound/createWayOut.ts'

/** A name that stands for this machine when it is looked up, and for the metadata of a cloud ever after. */
export function changingName(): { readonly wayOut: WayOut; readonly lookUps: readonly string[] } {
  const lookUps: string[] = []
  const network = createNetwork({
    lookUp: (host, _options, callback) => {
      const address = lookUps.length === 0 ? '127.0.0.1' : '169.254.169.254'
      lookUps.push(host)
      callback(null, [{ address, family: 4 }])
    },
  })
  return { wayOut: createWayOut(network), lookUps }
}
