import { describe, expect, it } from 'vitest'

import { tryParsePing } from '../../../../gateway/src/check-runner/types/icmp.ts'

const IPUTILS = `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.

--- 127.0.0.1 ping statistics ---
3 packets transmitted, 3 received, 0% packet loss, time 402ms
rtt min/avg/max/mdev = 0.025/0.034/0.041/0.006 ms
`
const BUSYBOX = `--- 127.0.0.1 ping statistics ---
4 packets transmitted, 3 packets received, 25% packet loss
round-trip min/avg/max = 0.051/0.074/0.089 ms
`
const BSD = `--- localhost ping statistics ---
3 packets transmitted, 3 packets received, 0.0% packet loss
round-trip min/avg/max/stddev = 0.040/1.500/0.080/0.016 ms
`
const NOTHING_BACK = `--- 192.0.2.1 ping statistics ---
3 packets transmitted, 0 received, 100% packet loss, time 403ms

`

describe('tryParsePing', () => {
  it.each([
    ['iputils', IPUTILS, { sent: 3, received: 3, lossPercent: 0, averageMs: 0.034 }],
    ['BusyBox', BUSYBOX, { sent: 4, received: 3, lossPercent: 25, averageMs: 0.074 }],
    ['BSD', BSD, { sent: 3, received: 3, lossPercent: 0, averageMs: 1.5 }],
    ['iputils without an answer', NOTHING_BACK, { sent: 3, received: 0, lossPercent: 100, averageMs: null }],
  ])('reads the summary of %s', (_which, output, statistics) => {
    expect(tryParsePing(output)).toEqual(statistics)
  })

  it('reads nothing where there is no summary', () => {
    expect(tryParsePing('ping: nowhere.invalid: Name or service not known')).toBeNull()
  })
})
