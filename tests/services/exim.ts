import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeFolder, type Service } from './service.ts'

export const exim: Service = {
  name: 'Exim',
  program: 'exim4',
  debianPackage: 'exim4-daemon-light',
  version: ['-bV'],
  start: (place) => {
    const { folder, port, program } = place
    const spool = makeFolder(place, 'spool')
    const inbox = join(makeFolder(place, 'mail'), 'inbox')
    const settings = join(folder, 'exim.conf')
    writeFileSync(
      settings,
      `exim_user = nobody
exim_group = nogroup
never_users =
primary_hostname = watch.test
spool_directory = ${spool}
log_file_path = ${folder}/log-%s
acl_smtp_rcpt = signed_in
tls_advertise_hosts =
keep_environment =
pid_file_path = ${folder}/pid
begin acl
signed_in:
  accept authenticated = *
  deny message = sign in first
begin routers
all:
  driver = accept
  transport = inbox
begin transports
inbox:
  driver = appendfile
  file = ${inbox}
  user = nobody
  group = nogroup
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{probe}}{eq{$auth3}{tr1al-pass}}}}
  server_set_id = $auth2
  server_advertise_condition = yes
`,
      { mode: 0o644 },
    )
    place.run(program, ['-C', settings, '-bdf', '-q1m', '-oX', `127.0.0.1.${port}`])
    const values = {
      host: '127.0.0.1',
      port: String(port),
      username: 'probe',
      password: 'tr1al-pass',
      from: 'probe@watch.test',
      fromName: 'Probe',
      encryptionMethod: 'None',
      authMethod: 'Plain',
    }
    const arrived = (): string => (existsSync(inbox) ? readFileSync(inbox, 'utf8') : '')
    return [
      {
        what: 'takes one message that says it is a test',
        type: 'email',
        values,
        prove: () => (/^Subject: .*test/im.test(arrived()) ? null : 'no message that says it is a test arrived'),
      },
      {
        what: 'wrong password',
        type: 'email',
        values: { ...values, password: 'wrong' },
        refusal: /535|authentication/i,
      },
    ]
  },
}
