import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeRepository } from './repository.ts'
import { makeFolder, type Service } from './service.ts'

export const lighttpd: Service = {
  name: 'lighttpd, with git http-backend',
  program: 'lighttpd',
  debianPackage: 'lighttpd',
  version: ['-v'],
  start: (place) => {
    const { folder, port } = place
    chmodSync(folder, 0o755)
    const site = makeFolder(place, 'site')
    writeFileSync(join(site, 'index.html'), 'here\n')
    makeRepository(place)
    const people = join(folder, 'people')
    writeFileSync(people, 'probe:tr1al-pass\n')
    const settings = join(folder, 'lighttpd.conf')
    writeFileSync(
      settings,
      `server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_cgi", "mod_setenv")
server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${site}"
index-file.names = ("index.html")
auth.backend = "plain"
auth.backend.plain.userfile = "${people}"
auth.require = ("/" => ("method" => "basic", "realm" => "watch", "require" => "valid-user"))
alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
$HTTP["url"] =~ "^/git" {
  cgi.assign = ("" => "")
  setenv.set-environment = ("GIT_PROJECT_ROOT" => "${folder}", "GIT_HTTP_EXPORT_ALL" => "1")
}
`,
    )
    place.run(place.program, ['-D', '-f', settings])
    const account = { username: 'probe', password: 'tr1al-pass' }
    const http = { url: `http://127.0.0.1:${port}/`, ...account }
    const git = {
      url: `http://127.0.0.1:${port}/git/shop.git`,
      authentication: 'Basic',
      ref: 'main',
      ...account,
    }
    return [
      { what: 'is answered with 2xx', type: 'http', values: http },
      { what: 'wrong password', type: 'http', values: { ...http, password: 'wrong' }, refusal: /401/ },
      { what: 'lists a repository', type: 'git', values: git },
      { what: 'wrong password', type: 'git', values: { ...git, password: 'wrong' }, refusal: /401/ },
      {
        what: 'no such repository',
        type: 'git',
        values: { ...git, url: git.url.replace('shop', 'nothing') },
        refusal: /404/,
      },
    ]
  },
}
