import type { Service } from './service.ts'

export const redis: Service = {
  name: 'Redis',
  program: 'redis-server',
  debianPackage: 'redis-server',
  version: ['--version'],
  start: ({ program, folder, port, run }) => {
    const settings = { port, bind: '127.0.0.1', requirepass: 'tr1al-pass', dir: folder, save: '' }
    run(
      program,
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    )
    const values = { url: `redis://127.0.0.1:${port}`, db: '3', password: 'tr1al-pass' }
    return [
      { what: 'signs in, chooses database 3', type: 'redis', values },
      { what: 'wrong password', type: 'redis', values: { ...values, password: 'wrong' }, refusal: /WRONGPASS/ },
      { what: 'no such database', type: 'redis', values: { ...values, db: '99' }, refusal: /DB index is out of range/ },
    ]
  },
}
