import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeRepository } from './repository.ts'
import type { Service } from './service.ts'

const PERSON = 'watchroom-try'

/** A person of the machine for as long as it is tried: who signs in with a password has an account. */
export const openssh: Service = {
  name: 'OpenSSH',
  program: 'sshd',
  debianPackage: 'openssh-server',
  version: ['-V'],
  start: (place) => {
    const { folder, port, program } = place
    chmodSync(folder, 0o755)
    const key = (name: string): string => {
      const path = join(folder, name)
      place.call('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
      return path
    }
    const [host, own] = [key('host'), key('own')]
    place.call('/usr/sbin/useradd', ['--no-create-home', '--shell', '/bin/sh', PERSON])
    place.onLeave(() => void place.call('/usr/sbin/userdel', [PERSON]))
    place.call('/usr/sbin/chpasswd', [], `${PERSON}:tr1al-pass\n`)
    const settings = join(folder, 'sshd_config')
    writeFileSync(
      settings,
      `Port ${port}
ListenAddress 127.0.0.1
HostKey ${host}
AuthorizedKeysFile ${own}.pub
StrictModes no
PasswordAuthentication yes
UsePAM no
PidFile none
Subsystem sftp internal-sftp
`,
    )
    // Where it puts its own aside; a service makes it at its start.
    if (!existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 })
    place.run(program, ['-D', '-f', settings])
    const repository = makeRepository(place)
    const foreign = makeRepository(place, 'foreign')
    // Git serves nobody what belongs to someone else.
    place.call('/usr/bin/chown', ['-R', PERSON, repository])
    const account = { username: PERSON, password: 'tr1al-pass' }
    const sftp = { host: '127.0.0.1', port: String(port), ...account }
    const git = {
      url: `ssh://${PERSON}@127.0.0.1:${port}${repository}`,
      authentication: 'SSH',
      certificate: readFileSync(own, 'utf8'),
      ref: 'main',
    }
    return [
      { what: 'opens the subsystem', type: 'sftp', values: sftp },
      {
        what: 'wrong password',
        type: 'sftp',
        values: { ...sftp, password: 'wrong' },
        refusal: /authentication methods failed/,
      },
      { what: 'lists a repository with a key', type: 'git', values: git },
      {
        what: 'no such branch',
        type: 'git',
        values: { ...git, ref: 'nothing' },
        refusal: /no branch or tag named nothing/,
      },
      {
        what: 'a repository of someone else',
        type: 'git',
        values: { ...git, url: git.url.replace(repository, foreign) },
        refusal: /dubious ownership/,
      },
      {
        what: 'no such repository',
        type: 'git',
        values: { ...git, url: git.url.replace(repository, '/nothing.git') },
        refusal: /'\/nothing\.git' does not appear to be a git repository/,
      },
    ]
  },
}
