import type { CheckRunnerTable } from '../contract.ts'
import { dnsRunner } from './dns.ts'
import { execRunner } from './exec.ts'
import { folderRunner } from './folder.ts'
import { httpRunner } from './http.ts'
import { icmpRunner } from './icmp.ts'
import { postgresRunner } from './postgres.ts'
import { redisRunner } from './redis.ts'
import { selfRunner } from './self.ts'
import { tcpRunner } from './tcp.ts'

/** The runner of each check type. A type without one does not compile. */
export const CheckRunners = {
  http: httpRunner,
  tcp: tcpRunner,
  dns: dnsRunner,
  icmp: icmpRunner,
  exec: execRunner,
  folder: folderRunner,
  postgres: postgresRunner,
  redis: redisRunner,
  self: selfRunner,
} satisfies CheckRunnerTable
