import { describe, expect, it } from 'vitest'

import {
  toIndex,
  toSetting,
  toTable,
} from '../../../../../gateway/src/embedded-backend/catalog/families/self/readDatabase.ts'
import {
  parseMounts,
  toDisk,
  toInterfaces,
} from '../../../../../gateway/src/embedded-backend/catalog/families/self/readHost.ts'
import {
  LockSchema,
  toPackages,
} from '../../../../../gateway/src/embedded-backend/catalog/families/self/readPackages.ts'
import {
  findOwn,
  parseListeners,
  parseStat,
  toPorts,
} from '../../../../../gateway/src/embedded-backend/catalog/families/self/readProcesses.ts'
import { toMagnitude, toSizeClass } from '../../../../../gateway/src/embedded-backend/catalog/families/self/selfItem.ts'

const GIB = 2 ** 30

describe('what the product finds out about its host', () => {
  const mounts = [
    '22 27 0:21 / /proc rw,relatime - proc proc rw',
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '30 27 254:0 /home /srv/home rw,relatime - ext4 /dev/vda rw',
    '31 27 8:1 / /media/old\\040disk ro,relatime - vfat /dev/sda1 ro',
    '32 27 0:40 / /mnt/share rw - nfs server:/share rw,password=x',
    '',
  ].join('\n')

  it('takes disks, each once, and nothing that a server far away holds', () => {
    expect(parseMounts(mounts)).toEqual([
      { path: '/', fileSystem: 'ext4', isReadOnly: false, device: '254:0' },
      { path: '/media/old disk', fileSystem: 'vfat', isReadOnly: true, device: '8:1' },
    ])
  })

  it('tells of a disk that is almost full, and of its use in steps that stay', () => {
    const mount = { path: '/', fileSystem: 'ext4', isReadOnly: false, device: '254:0' }
    const roomy = toDisk(mount, { totalBytes: 100 * GIB, freeBytes: 61 * GIB })
    expect(roomy).toMatchObject({ health: 'healthy', insights: [] })
    expect(toDisk(mount, { totalBytes: 100 * GIB, freeBytes: 60.5 * GIB })).toEqual(roomy)
    expect(toDisk(mount, { totalBytes: 100 * GIB, freeBytes: 5 * GIB })).toMatchObject({
      health: 'warning',
      insights: [{ analyzer: 'disk-almost-full', severity: 'high' }],
    })
  })

  it('does not warn of a full disk that nobody writes to', () => {
    const mount = { path: '/rom', fileSystem: 'vfat', isReadOnly: true, device: '8:1' }
    expect(toDisk(mount, { totalBytes: GIB, freeBytes: 0 })).toMatchObject({ health: 'healthy', insights: [] })
  })

  it('hangs addresses below their interface', () => {
    const address = {
      address: '10.0.0.7',
      netmask: '255.255.255.0',
      family: 'IPv4',
      mac: 'aa',
      internal: false,
    } as const
    const items = toInterfaces({ eth0: [{ ...address, cidr: '10.0.0.7/24' }] })
    expect(items.map(({ id, parent, type }) => [id, parent, type])).toEqual([
      ['host/interface/eth0', 'host', 'Host::Interface'],
      ['host/interface/eth0/10.0.0.7', 'host/interface/eth0', 'Host::Address'],
    ])
  })

  it.each([
    [0, 'none'],
    [9, 'at least 1'],
    [12_345, 'at least 10,000'],
  ])('tells of %i things as %s', (count, words) => expect(toMagnitude(count)).toBe(words))

  it.each([
    [0, 'up to 1 MB'],
    [2 ** 20, 'up to 1 MB'],
    [2 ** 20 + 1, 'up to 2 MB'],
    [3 * GIB, 'up to 4 GB'],
  ])('tells of %i bytes as %s', (bytes, words) => expect(toSizeClass(bytes)).toBe(words))
})

describe('what the product finds out about its processes', () => {
  const at = (pid: number, parent: number, program: string) => ({ pid, parent, program })

  it('reads a program that gave itself a strange name', () => {
    expect(parseStat('42 (a) b (c)) S 7 42 42 0')).toEqual({ pid: 42, program: 'a) b (c)', parent: 7 })
    expect(parseStat('')).toBeNull()
  })

  it('finds the servers below the backend, also behind a shell, and none of their own children', () => {
    const processes = [
      at(10, 1, 'node'),
      at(20, 10, 'node'),
      at(21, 20, 'sh'),
      at(22, 21, 'postgres'),
      at(23, 22, 'postgres'),
      at(24, 20, 'postgrest'),
      at(30, 1, 'postgres'),
      at(31, 20, 'sleep'),
    ]
    expect(findOwn(processes, { backend: 20, gateway: 10 })).toEqual([
      { role: 'gateway', pid: 10 },
      { role: 'backend', pid: 20 },
      { role: 'postgresql', pid: 22 },
      { role: 'postgrest', pid: 24 },
    ])
  })

  const tcp = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0',
    '   1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 222 1 0 100 0 0 10 0',
    '   2: 0100007F:C001 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0 100 0 0 10 0',
    '   3: 0100007F:0BB8 0100007F:C002 01 00000000:00000000 00:00000000 00000000     0        0 444 1 0 100 0 0 10 0',
  ].join('\n')
  const tcp6 = '   0: 00000000000000000000000001000000:0BB8 0:0 0A 0:0 00:0 0     0        0 555 1 0 100 0 0 10 0'

  it('reads who listens, not who talks', () => {
    expect(parseListeners(tcp).map(({ port, address }) => `${address} ${port}`)).toEqual([
      '127.0.0.1 3000',
      '0.0.0.0 22',
      '127.0.0.1 49153',
    ])
    expect(parseListeners(tcp6)).toEqual([{ port: 3000, address: '::1', inode: '555' }])
  })

  it('hangs a port below the process that listens, and leaves out ports of others that come and go', () => {
    const owners = new Map([['111', { role: 'gateway', pid: 10 } as const]])
    const ports = toPorts([...parseListeners(tcp), ...parseListeners(tcp6)], owners, 32_768)
    expect(ports.map(({ name, parent, config }) => [name, parent, config['addresses']])).toEqual([
      ['tcp 3000', 'process/gateway', ['127.0.0.1', '::1']],
      ['tcp 22', 'host', ['0.0.0.0']],
    ])
  })
})

describe('what the product finds out about its packages', () => {
  const lock = LockSchema.parse({
    name: 'watchroom',
    packages: {
      '': { name: 'watchroom', dependencies: {} },
      gateway: {
        name: '@watchroom/gateway',
        version: '1.0.0',
        license: 'Apache-2.0',
        dependencies: { near: '1', own: '*' },
      },
      shared: { name: '@watchroom/shared', version: '1.0.0', license: 'Apache-2.0' },
      'node_modules/own': { resolved: 'shared', link: true },
      'node_modules/near': { version: '1.2.3', license: 'MIT', dependencies: { far: '2' } },
      'node_modules/near/node_modules/far': { version: '2.0.0', resolved: 'https://registry.example/far.tgz' },
      'node_modules/far': { version: '1.0.0', license: '(GPL-3.0-only OR MIT)', deprecated: 'use near' },
      'node_modules/strict': { version: '1.0.0', license: 'AGPL-3.0-only' },
      'node_modules/tool': { version: '1.0.0', license: 'MIT', dev: true },
    },
  })
  const items = toPackages(lock)
  const find = (id: string) => items.find((item) => item.id === id)

  it('hangs what a part names itself below it, and leaves out what only builds need', () => {
    expect(find('package/node_modules/near')).toMatchObject({ parent: 'package/gateway', config: { version: '1.2.3' } })
    expect(find('package/node_modules/far')).toMatchObject({ parent: 'packages' })
    expect(find('package/node_modules/tool')).toBeUndefined()
    expect(JSON.stringify(items)).not.toContain('registry')
  })

  it('relates a package to those that it needs, as Node finds them', () => {
    expect(find('package/node_modules/near')?.relationships).toEqual([
      { id: 'package/node_modules/near/node_modules/far', relation: 'DependsOn' },
    ])
    // What it holds is related by that already.
    expect(find('package/gateway')?.relationships).toEqual([{ id: 'package/shared', relation: 'DependsOn' }])
  })

  it('judges licenses, with the choice that a package leaves, and what its authors advise against', () => {
    const told = (id: string) =>
      find(`package/node_modules/${id}`)?.insights?.map(({ analyzer, severity }) => [analyzer, severity])
    expect(told('near')).toEqual([])
    expect(told('far')).toEqual([['package-deprecated', 'medium']])
    expect(told('near/node_modules/far')).toEqual([['package-license', 'low']])
    expect(told('strict')).toEqual([['package-license', 'high']])
  })
})

describe('what the product finds out about its database', () => {
  const index = {
    schema: 'public',
    table: 'items',
    name: 'items_idx',
    definition: 'create index',
    bytes: 9,
    rows: 10_000,
  }

  it('tells of an index that nothing was found with, of a table large enough to need one', () => {
    expect(toIndex({ ...index, isUnique: false, isUsed: false }).insights).toMatchObject([{ analyzer: 'index-unused' }])
    expect(toIndex({ ...index, isUnique: true, isUsed: false }).insights).toEqual([])
    expect(toIndex({ ...index, isUnique: false, isUsed: true }).insights).toEqual([])
    expect(toIndex({ ...index, isUnique: false, isUsed: false, rows: 9_999 }).insights).toEqual([])
  })

  it('tells of a table without a primary key, and not of rows that come and go', () => {
    const table = { schema: 'public', name: 'items', bytes: 9_000, hasKey: false, columns: [] }
    expect(toTable({ ...table, rows: 1_200 })).toEqual(toTable({ ...table, rows: 1_300 }))
    expect(toTable({ ...table, rows: 0 }).insights).toMatchObject([{ analyzer: 'table-without-key', severity: 'info' }])
  })

  it('tells of a setting that should be on', () => {
    const setting = { name: 'fsync', unit: null, category: 'Write-Ahead Log' }
    expect(toSetting({ ...setting, value: 'off' }).insights).toMatchObject([{ severity: 'critical' }])
    expect(toSetting({ ...setting, value: 'on' }).insights).toEqual([])
  })
})
