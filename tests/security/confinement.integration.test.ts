// What a hostile script reaches: nothing of the product, whichever confinement this machine allows. Each is tried for real.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { untilGone } from '#support/processes.ts'

import type { Confinement, ProgramResult } from '../../gateway/src/executor/contract.ts'

const PROGRAM = fileURLToPath(new URL('../support/executorProgram.ts', import.meta.url))
const SECRET = 'hunter2-of-the-product'
const STRANGER = 23_456

interface Place {
  /** Runs before the program: another user, less rights. */
  readonly wrapper: readonly string[]
  readonly kind: Confinement['kind']
  /** Whom the script has to be. */
  readonly uid: number
}

/** In a changed root the kernel gives no namespace of users, as in many containers. */
const inChangedRoot = (...command: string[]): string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount --rbind / "$0" && exec chroot "$0" sh -c "cd $PWD && exec \\"\\$@\\"" sh "$@"',
  changedRoot,
  ...command,
]
const asStranger = ['setpriv', `--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups', '--']

let changedRoot: string
/** Of the product; belongs to the user that it runs as. */
let data: string
let server: Server

beforeAll(async () => {
  changedRoot = mkdtempSync(join(tmpdir(), 'wr-root-'))
  // Not below /tmp: that every run has anew, and what hides this must be the confinement itself.
  data = mkdtempSync('/var/lib/wr-confinement-')
  writeFileSync(join(data, 'first-admin'), SECRET)
  writeFileSync(join(data, 'own-file'), 'whole')
  server = createServer((socket) => socket.end(SECRET)).listen(join(data, 'socket'))
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  rmSync(changedRoot, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
})

interface Outcome {
  readonly confinement: Confinement
  readonly result: ProgramResult | null
}

/** A product of its own at this place; starting one takes longer than most scripts. */
function start(wrapper: readonly string[]) {
  const command = [...wrapper, process.execPath, '--import', 'tsx', PROGRAM, data]
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', PRODUCT_SECRET: SECRET },
  })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(script: string): Promise<Outcome> {
      child.stdin.write(`${JSON.stringify(script)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('the product ended')
      return JSON.parse(value) as Outcome
    },
    async stop(): Promise<void> {
      child.stdin.end()
      await closed
    },
  }
}

async function run(wrapper: readonly string[], script: string): Promise<Outcome> {
  const product = start(wrapper)
  try {
    return await product.run(script)
  } finally {
    await product.stop()
  }
}

const owner = (uid: number): void => {
  for (const path of [data, join(data, 'first-admin'), join(data, 'own-file'), join(data, 'socket')]) {
    chmodSync(path, 0o700)
    chownSync(path, uid, uid)
  }
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a hostile script',
  { timeout: 60_000 },
  () => {
    const places = (): Record<string, Place> => ({
      'under root': { wrapper: [], kind: 'user-and-namespaces', uid: 65_533 },
      'under root without namespaces': { wrapper: inChangedRoot(), kind: 'user', uid: 65_533 },
      'under an ordinary user': { wrapper: asStranger, kind: 'namespaces', uid: STRANGER },
    })

    describe.each(['under root', 'under root without namespaces', 'under an ordinary user'])('%s', (name) => {
      let place: Place
      let product: ReturnType<typeof start>
      beforeAll(() => {
        const found = places()[name]
        if (!found) throw new Error(name)
        place = found
        owner(place.kind === 'namespaces' ? STRANGER : 0)
        product = start(place.wrapper)
      })
      afterAll(() => product.stop())
      const attack = async (script: string) => {
        const { confinement, result } = await product.run(script)
        expect(confinement.kind).toBe(place.kind)
        if (!result) throw new Error('nothing ran')
        return result
      }

      it('is the unprivileged user alone: no groups, no capabilities, no descriptor but its three', async () => {
        const { stdout } = await attack(
          'id -u; id -G; grep -c "^Cap\\(Prm\\|Eff\\|Inh\\|Amb\\):.*[1-9a-f]" /proc/self/status; ls /proc/$$/fd',
        )
        const [uid, groups, capabilities, ...descriptors] = stdout.trim().split('\n')
        expect([uid, groups, capabilities]).toEqual([String(place.uid), String(place.uid), '0'])
        // The shell keeps one of its own above 9.
        expect(descriptors.filter((fd) => Number(fd) < 10)).toEqual(['0', '1', '2'])
      })

      it('reads no environment and no memory of the product, its wrappers and its parents', async () => {
        const { stdout } = await attack(
          `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; for pid in /proc/[0-9]*; do head -c 1 $pid/mem 2>/dev/null && echo memory; ls $pid/root/ >/dev/null 2>&1 && ls $pid/fd 2>/dev/null | grep -q 4 && cat $pid/fd/4; done; true`,
        )
        expect(stdout).not.toContain(SECRET)
        expect(stdout).not.toContain('memory')
      })

      it('reads, lists, writes and connects to nothing of the data directory', async () => {
        const { stdout, stderr } = await attack(
          `cd ${data} && pwd; ls ${data}/first-admin; cat ${data}/first-admin; echo broken >${data}/own-file;
         for pid in /proc/[0-9]*; do cat $pid/root${data}/first-admin $pid/cwd/../${data}/first-admin; done
         ${process.execPath} -e "require('net').connect('${data}/socket').on('data', String).on('data', console.log).on('error', (e) => console.log(e.code))"`,
        )
        expect(stdout).not.toContain(SECRET)
        expect(stdout).not.toContain(data)
        expect(stdout).toMatch(/EACCES|ENOENT|EPERM/)
        expect(stderr).toMatch(/denied|No such file/)
      })

      it('stops no process but its own', async () => {
        const { stderr } = await attack(`kill -KILL ${process.pid}; kill -KILL ${process.ppid}; kill -KILL 1; true`)
        expect(stderr.match(/No such process|not permitted/g)?.length).toBeGreaterThanOrEqual(2)
      })

      it('has little memory, few processes and small files', async () => {
        const { stdout } = await attack(
          'head -c 100000000 /dev/zero >big 2>/dev/null; wc -c <big; ulimit -n; head -c 900000000 /dev/zero | tail -c 900000000 >/dev/null 2>&1 && echo much; ulimit -n 100000 2>/dev/null && echo raised; true',
        )
        const [bytes, descriptors, ...rest] = stdout
          .trim()
          .split('\n')
          .map((line) => line.trim())
        expect(Number(bytes)).toBeLessThanOrEqual(64 * 2 ** 20)
        expect(descriptors).toBe('256')
        expect(rest).toEqual([])
      })

      it('leaves nothing behind: no file and no process that took leave of its group', async () => {
        const nap = `sleep 400.${randomInt(1e9)}`
        const { stdout } = await attack(`pwd; touch here /tmp/there-$$ 2>/dev/null; setsid -f ${nap}; echo done`)
        const [folder = ''] = stdout.split('\n')
        await untilGone(nap)
        expect(stdout).toContain('done')
        expect(existsSync(folder)).toBe(false)
      })
    })

    it('is not run at all where nothing confines it, and the reason is told', async () => {
      owner(STRANGER)
      const { confinement, result } = await run(inChangedRoot(...asStranger), 'id')
      expect(confinement).toMatchObject({
        kind: 'off',
        reason: expect.stringMatching(/^this user cannot make namespaces: /),
      })
      expect(result).toBeNull()
    })

    it('cannot take the processes of another run with a fork bomb', async () => {
      const [bomb, other] = await Promise.all([
        run([], 'f() { f | f & }; f 2>/dev/null; sleep 2; echo over'),
        run([], 'sleep 1; for i in 1 2 3 4 5; do (echo $i) || exit 1; done'),
      ])
      expect(bomb.result?.durationMs).not.toBeNull()
      expect(other.result).toMatchObject({ exitCode: 0, stdout: '1\n2\n3\n4\n5\n' })
    })
  },
)
