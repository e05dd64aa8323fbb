import { createKnownHosts } from '../../gateway/src/platform/knownHosts.ts'

/** As a gateway without settings: loopback and IP addresses. */
export const TEST_HOSTS = createKnownHosts({ publicUrls: [], listenHost: '127.0.0.1', trustedProxies: [] })
